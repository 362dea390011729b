import { longestName } from '../../../shared/bounded';
import type { FromPage } from '../../../shared/conversationFromPage';
import { mostPaths } from '../../../shared/conversationMessages';
import { folderName, shortPath } from '../../../shared/agentFolders';
import type { ConversationState } from './state';

/** What can be done with the files that a text names. */
export interface FileLinks {
  /** A path as people read it. */
  short: (path: string) => string;
  /** Which folder a command was run in, if that needs saying. */
  folder: (path: string) => string;
  /** Whether the file is in a folder that is open here, as far as that’s known. */
  isHere: (path: string) => boolean;
  /** Opens it. Without a line, where the step changed it. */
  open: (path: string, line?: number) => void;
}

/** Asks which of the files that are drawn are here. */
export class Files {
  private readonly asked = new Set<string>();
  private wanted: string[] = [];

  constructor(private readonly post: (message: FromPage) => void) {}

  links({ here, folders }: ConversationState, id: string): FileLinks {
    return {
      short: (path) => shortPath(path, folders),
      folder: (path) => folderName(path, folders),
      isHere: (path) => {
        if (!this.asked.has(path) && path !== '' && path.length <= longestName) {
          this.asked.add(path);
          this.wanted.push(path);
        }
        return here.has(path);
      },
      open: (path, line) => this.post({ type: 'openFile', path, id, line: line ?? null }),
    };
  }

  /** Asks for those that were drawn since. */
  ask(): void {
    while (this.wanted.length > 0) this.post({ type: 'locate', paths: this.wanted.splice(0, mostPaths) });
  }

  forget(): void {
    this.asked.clear();
    this.wanted = [];
  }
}
