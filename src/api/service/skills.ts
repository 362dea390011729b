import * as z from 'zod/mini';
import { someText } from '../../shared/bounded';
import type { Transport } from '../http/transport';
import { lenientList, maybe, maybeText } from '../lenient';
import { shownAddress } from '../shownAddress';
import { isMissing, optional, record } from './calls';

/** What is installed: instructions for agents, or a plugin, which has more. */
export type AddOnKind = 'skill' | 'plugin';

/** An installed skill or plugin. */
export interface AddOn {
  kind: AddOnKind;
  name: string;
  description: string;
  /** Where it comes from: a folder of the server, or an address. */
  source: string;
  isOn: boolean;
}

/** Where to get a skill or plugin. */
export interface AddOnSource {
  /** A folder of the server, `github:owner/name`, or a Git address. */
  source: string;
  ref?: string | undefined;
  /** The folder in that repository. */
  repoPath?: string | undefined;
}

/** A skill or plugin of the server’s catalog. */
interface OfferedAddOn extends AddOnSource {
  name: string;
  description: string;
  isInstalled: boolean;
}

const addOnSchema = z.object({
  name: someText,
  description: maybeText,
  source: shownAddress,
  enabled: maybe(z.boolean()),
});
const installedSchemas = {
  skill: z.pipe(
    z.object({ skills: lenientList(addOnSchema) }),
    z.transform(({ skills }) => skills),
  ),
  plugin: z.pipe(
    z.object({ plugins: lenientList(addOnSchema) }),
    z.transform(({ plugins }) => plugins),
  ),
};

const offeredSchema = z.object({
  name: someText,
  description: maybeText,
  source: someText,
  ref: maybeText,
  repo_path: maybeText,
  installed: maybe(z.boolean()),
});
const offered = maybe(lenientList(offeredSchema));
const catalogSchema = z.object({ skills: offered, plugins: offered });

const skillSchema = z.object({
  name: someText,
  description: maybeText,
  content: z.string(),
  source: shownAddress,
  triggers: maybe(lenientList(z.string())),
});
/** A skill that agents get, with its text. */
export type Skill = z.infer<typeof skillSchema>;

const skillsSchema = z.object({ skills: lenientList(skillSchema) });

/** Skills and plugins of an agent server (docs/protocol/agent-server.md, “Skills, plugins, and tools”). Throws ApiError. */
export interface SkillCalls {
  /** `POST /api/skills`: those of the server’s user, and of a folder. */
  listSkills(folder: string | undefined, signal?: AbortSignal): Promise<Skill[]>;
  /** `GET /api/skills/installed` and `GET /api/plugins/installed`. */
  listAddOns(signal?: AbortSignal): Promise<AddOn[]>;
  /** `GET .../marketplace`: nothing if the server can’t reach it. */
  listOffered(kind: AddOnKind, signal?: AbortSignal): Promise<OfferedAddOn[]>;
  /** `POST .../install`: an error of reason `conflict` if it’s installed. */
  install(kind: AddOnKind, from: AddOnSource, signal?: AbortSignal): Promise<void>;
  /** `POST /api/plugins/fetch`, since 1.58: rejects if there’s no plugin. Installs nothing. */
  findPlugin(from: AddOnSource, signal?: AbortSignal): Promise<void>;
  /** `PATCH .../installed/<name>`. */
  switchAddOn(addOn: Pick<AddOn, 'kind' | 'name'>, isOn: boolean, signal?: AbortSignal): Promise<void>;
  /** `POST .../installed/<name>/refresh`: gets it from its source again. */
  refreshAddOn(addOn: Pick<AddOn, 'kind' | 'name'>, signal?: AbortSignal): Promise<void>;
  /** `DELETE .../installed/<name>`. */
  removeAddOn(addOn: Pick<AddOn, 'kind' | 'name'>, signal?: AbortSignal): Promise<void>;
}

/** The server fetches from other computers. */
const fetchTimeoutMs = 180_000;

const installed = (kind: AddOnKind) => `/api/${kind}s/installed/{id}`;

/** As requests name a source. */
export const sourceBody = ({ source, ref, repoPath }: AddOnSource) => ({
  source,
  ...(ref !== undefined && { ref }),
  ...(repoPath !== undefined && { repo_path: repoPath }),
});

/** The calls for the skills and plugins of a standalone agent server. */
export function skillCalls(transport: Transport): SkillCalls {
  const listOne = async (kind: AddOnKind, signal?: AbortSignal): Promise<AddOn[]> => {
    const read = record<z.infer<typeof addOnSchema>[]>(installedSchemas[kind]);
    const elements = `${kind}s`;
    const call = { method: 'GET', route: `/api/${elements}/installed`, read, elements } as const;
    return (await transport.request(call, signal)).map(({ name, description, source, enabled }) => ({
      ...{ kind, name, description: description ?? '', source: source ?? '' },
      isOn: enabled !== false,
    }));
  };
  return {
    listSkills: async (folder, signal) => {
      const body = {
        ...{ load_public: false, load_org: false, load_user: true, load_project: folder !== undefined },
        ...(folder !== undefined && { project_dir: folder }),
      };
      const read = record(skillsSchema);
      const call = { method: 'POST', route: '/api/skills', body, read, elements: 'skills' } as const;
      return (await transport.request(call, signal)).skills;
    },
    listAddOns: async (signal) => [...(await listOne('skill', signal)), ...(await listOne('plugin', signal))],
    listOffered: async (kind, signal) => {
      const call = { method: 'GET', route: `/api/${kind}s/marketplace`, timeoutMs: fetchTimeoutMs } as const;
      const { skills, plugins } = await transport.request({ ...call, read: record(catalogSchema) }, signal);
      return ((kind === 'skill' ? skills : plugins) ?? []).map(
        ({ description, ref, repo_path: repoPath, installed: isInstalled, ...own }) => ({
          ...own,
          description: description ?? '',
          isInstalled: isInstalled === true,
          ref: ref ?? undefined,
          repoPath: repoPath ?? undefined,
        }),
      );
    },
    install: (kind, from, signal) => {
      const call = { method: 'POST', route: `/api/${kind}s/install`, body: sourceBody(from) } as const;
      return transport.request({ ...call, timeoutMs: fetchTimeoutMs }, signal);
    },
    findPlugin: async (from, signal) => {
      const call = {
        method: 'POST',
        route: '/api/plugins/fetch',
        body: sourceBody(from),
        ...optional,
      } as const;
      await transport.request({ ...call, timeoutMs: fetchTimeoutMs }, signal).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
    switchAddOn: ({ kind, name }, isOn, signal) =>
      transport.request(
        { method: 'PATCH', route: installed(kind), id: name, body: { enabled: isOn } },
        signal,
      ),
    refreshAddOn: ({ kind, name }, signal) => {
      const call = { method: 'POST', route: `${installed(kind)}/refresh`, id: name } as const;
      return transport.request({ ...call, timeoutMs: fetchTimeoutMs }, signal);
    },
    removeAddOn: ({ kind, name }, signal) =>
      transport.request({ method: 'DELETE', route: installed(kind), id: name }, signal),
  };
}
