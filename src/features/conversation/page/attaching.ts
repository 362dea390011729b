import * as l10n from '@vscode/l10n';
import { longestName } from '../../../shared/bounded';
import { longestPicture, mostFiles } from '../../../shared/conversationMessages';
import type { ConversationApp } from './app';

/** The URIs of files that were dropped from the editor's own views. */
export function droppedFiles(data: DataTransfer | null): string[] {
  const list = ['application/vnd.code.uri-list', 'text/uri-list'].map((type) => data?.getData(type) ?? '');
  const uris = (list.find((text) => text !== '') ?? '')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'));
  return uris.filter((uri) => !/^(?:https?|data|javascript):/i.test(uri));
}

/** Attaches dropped files, as many as the extension host takes at once. */
export function attachFiles(app: ConversationApp, uris: readonly string[]): void {
  const taken = uris.filter((uri) => uri.length <= longestName).slice(0, mostFiles);
  app.post({ type: 'attachFiles', uris: taken });
  if (taken.length < uris.length)
    app.say(l10n.t('Not all of these files are attached. Drop at most {0} at once.', mostFiles));
}

/** Attaches pasted pictures. Office programs add a picture of it to text, which is pasted as text. */
export function takePasted(app: ConversationApp, event: ClipboardEvent): void {
  const { clipboardData: data } = event;
  if (data?.getData('text/plain') === '') takePictures(app, data, event);
}

/** Attaches the pictures that came with an event. */
export function takePictures(app: ConversationApp, data: DataTransfer | null, event: Event): void {
  const files = [...(data?.files ?? [])];
  const pictures = files.filter(({ type }) => /^image\/(?:png|jpeg|gif|webp)$/.test(type));
  if (files.length === 0) return;
  event.preventDefault();
  if (pictures.length < files.length)
    app.say(l10n.t('Only PNG, JPEG, GIF, and WebP pictures can be attached this way.'));
  for (const picture of pictures) {
    const reader = new FileReader();
    reader.onload = () => {
      const uri = reader.result;
      if (typeof uri !== 'string') return;
      if (uri.length <= longestPicture) app.post({ type: 'attachPicture', uri });
      else app.say(l10n.t('The picture is too large. Scale it down to less than 1.5 MB.'));
    };
    reader.readAsDataURL(picture);
  }
}
