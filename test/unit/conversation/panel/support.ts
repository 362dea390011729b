import assert from 'node:assert/strict';
import { noDraft, type Draft } from '../../../../src/features/conversation/panel/attachments';
import { ConversationHost } from '../../../../src/features/conversation/panel/conversationHost';
import { conversationMessageHandler } from '../../../../src/features/conversation/panel/handlers';
import type { ConversationPorts } from '../../../../src/features/conversation/panel/ports';
import type { FromPage } from '../../../../src/shared/conversationFromPage';
import { parseToPage, type SendKey, type ToPage } from '../../../../src/shared/conversationMessages';
import type { ContextFinder, ContextItem } from '../../../../src/features/context/model/context';
import type { Entry } from '../../../../src/shared/transcript';
import { FakeModel } from '../../../support/conversation/fakeModel';

/** The host side of a conversation; the test acts as the page and the editor. */
export class Harness {
  readonly model = new FakeModel();
  posted: ToPage[] = [];
  readonly logged: string[] = [];
  readonly done: string[] = [];
  stored: Draft = noDraft;
  agrees = true;
  sendKey: SendKey = 'enter';
  elsewhere = '';
  showsAllChanges = true;
  /** Those that the editor has: in the workspace, and text if a name says so. */
  files: Pick<ConversationPorts, 'locateFile' | 'readFile'> & { pickFiles: () => Promise<string[]> } = {
    pickFiles: () => Promise.resolve(['file:///a.ts', 'file:///a.png']),
    locateFile: (uri) => Promise.resolve({ uri, name: uri, paths: [uri], isInside: true }),
    readFile: (uri) =>
      Promise.resolve(
        uri.endsWith('.ts') ? { quote: { text: `In ${uri}`, label: uri }, text: '' } : undefined,
      ),
  };
  /** What has a name, of what the editor has. */
  find: ContextFinder['find'] = () => Promise.resolve([]);
  findSymbols: ContextFinder['find'] = () => Promise.resolve([]);
  skills: ConversationPorts['skills'] = () => Promise.resolve([]);
  foundPort: Parameters<ConversationPorts['watchPorts']>[0] = () => assert.fail();
  readonly host: ConversationHost;
  private readonly handle: (data: unknown) => Promise<void>;

  constructor(draft: Draft = noDraft) {
    this.stored = draft;
    const note = (what: string) => () => {
      this.done.push(what);
      return Promise.resolve();
    };
    this.host = new ConversationHost(this.model, {
      post: (sent) => {
        // Like the editor: the page receives a copy and parses the message.
        const parsed = parseToPage(JSON.parse(JSON.stringify(sent)));
        assert.ok(parsed.ok, JSON.stringify(parsed));
        this.posted.push(parsed.message);
      },
      service: 'http://service.invalid',
      elsewhere: () => this.elsewhere,
      switchHere: note('switched'),
      sendKey: () => this.sendKey,
      drafts: { read: () => this.stored, write: (next) => (this.stored = next) },
      run: (command) => note(`run ${command}`)(),
      showDocument: (title, text) => note(`document ${title}: ${text}`)(),
      showDiff: (path, before, after) => note(`diff ${path}: ${before} > ${after}`)(),
      showPlannedDiff: async (path, before, after) => {
        await note(`planned diff ${path}: ${before} > ${after}`)();
        return this.showsAllChanges;
      },
      showStep: (entry) => note(`step ${entry}`)(),
      watchPorts: (found) => {
        this.foundPort = found;
        return { dispose: () => undefined };
      },
      openPort: (port) => note(`port ${port}`)(),
      confirm: (question, detail, button) => {
        this.done.push(`asked ${question} ${detail} [${button}]`);
        return Promise.resolve(this.agrees);
      },
      openLink: (url) => note(`open ${url.href}`)(),
      copy: (text) => note(`copied ${text}`)(),
      context: {
        find: (query) => this.find(query),
        findSymbols: (query) => this.findSymbols(query),
        pick: async () => (await this.files.pickFiles()).map((uri) => this.item(uri)),
      },
      skills: (folder) => this.skills(folder),
      locateFile: (uri) => this.files.locateFile(uri),
      readFile: (uri) => this.files.readFile(uri),
      findFiles: (paths) =>
        Promise.resolve(
          new Map(paths.flatMap((one) => (one.endsWith('.ts') ? [[one, `file://${one}`]] : []))),
        ),
      openFile: (uri, line) => note(`file ${uri} ${line}`)(),
      log: {
        error: (words) => this.logged.push(words),
        warn: (words) => this.logged.push(words),
      },
    });
    this.handle = conversationMessageHandler(this.host);
  }

  /** A file that the editor offers. */
  item(uri: string): ContextItem {
    const locate = async () => {
      const file = await this.files.locateFile(uri);
      return file && { ...file, read: () => this.files.readFile(file.uri) };
    };
    return { kind: 'file', label: uri.slice(uri.lastIndexOf('/') + 1), detail: uri, locate };
  }

  /** The page loads and is filled. */
  async open(entries: readonly Entry[] = []): Promise<this> {
    this.model.set({ entries });
    this.host.setVisible(true);
    await this.send({ type: 'ready', draft: { text: '', revision: 0 } });
    return this;
  }

  send(sent: FromPage): Promise<void> {
    return this.handle(sent);
  }

  forge(data: unknown): Promise<void> {
    return this.handle(data);
  }

  /** The messages of a type that were posted since this was last asked. */
  take<T extends ToPage['type']>(type: T): Extract<ToPage, { type: T }>[] {
    const found = this.posted.filter((sent): sent is Extract<ToPage, { type: T }> => sent.type === type);
    this.posted = this.posted.filter((sent) => sent.type !== type);
    return found;
  }

  /** The entries that the page has. */
  shown: Entry[] = [];
  draw(): string[] {
    for (const { at, removed, added } of this.take('entries'))
      this.shown = this.shown.toSpliced(at, removed, ...added);
    return this.shown.map(({ id }) => id);
  }
}
