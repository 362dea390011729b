import * as z from 'zod/mini';
import { someText } from '../../shared/bounded';
import type { Transport } from '../http/transport';
import { lenientList, maybe, maybeText } from '../lenient';
import { shownAddress } from '../shownAddress';
import { ifThere, record } from './calls';

/** What is installed: instructions for agents, or a plugin, which has more. */
export type AddOnKind = 'skill' | 'plugin';

const kinds = ['skill', 'plugin', 'canvas-extension'] as const;

/** An installed skill or plugin, or an extension of Agent Canvas, whose pages run only there. */
export interface AddOn {
  kind: (typeof kinds)[number];
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
const installedSchema = lenientList(addOnSchema);

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

const subAgentSchema = z.pipe(
  z.object({
    name: someText,
    description: maybeText,
    source: shownAddress,
    tools: maybe(lenientList(z.string())),
    is_builtin: maybe(z.boolean()),
    system_prompt: maybeText,
  }),
  z.transform(({ system_prompt: content, ...own }) => ({ ...own, content: content ?? '' })),
);
/** An agent that others can give tasks to, with what it’s told. */
export type SubAgent = z.infer<typeof subAgentSchema>;

const subAgentsSchema = z.object({ agents: lenientList(subAgentSchema) });

const skillsSchema = z.object({ skills: lenientList(skillSchema) });

/** Skills and plugins of an agent server (docs/protocol/agent-server.md, “Skills, plugins, and tools”). Throws ApiError. */
export interface SkillCalls {
  /** `POST /api/skills`: those of the server’s user, and of a folder. */
  listSkills(folder: string | undefined, signal?: AbortSignal): Promise<Skill[]>;
  /** `POST /api/sub-agents`, since 1.34: the server’s own, those of its user, and of a folder. */
  listSubAgents(folder: string | undefined, signal?: AbortSignal): Promise<SubAgent[]>;
  /** `GET /api/skills/installed`, `GET /api/plugins/installed`, and `GET /api/canvas-extensions/installed`. */
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

const installed = (kind: AddOn['kind']) => `/api/${kind}s/installed/{id}`;

/** As requests name the folder whose own things they want, too. */
const inProject = (folder: string | undefined) => ({
  load_project: folder !== undefined,
  ...(folder !== undefined && { project_dir: folder }),
});

/** As requests name a source. */
export const sourceBody = ({ source, ref, repoPath }: AddOnSource) => ({
  source,
  ...(ref !== undefined && { ref }),
  ...(repoPath !== undefined && { repo_path: repoPath }),
});

/** The calls for the skills and plugins of a standalone agent server. */
export function skillCalls(transport: Transport): SkillCalls {
  const listOne = async (kind: AddOn['kind'], signal?: AbortSignal): Promise<AddOn[]> => {
    const elements = `${kind}s`.replace('-', '_');
    const read = (json: unknown) =>
      installedSchema.safeParse((Object(json) as Record<string, unknown>)[elements]).data;
    const call = { method: 'GET', route: `/api/${kind}s/installed`, read, elements } as const;
    return ((await ifThere(transport, call, signal)) ?? []).map(({ name, description, source, enabled }) => ({
      ...{ kind, name, description: description ?? '', source: source ?? '' },
      isOn: enabled !== false,
    }));
  };
  return {
    listSkills: async (folder, signal) => {
      const body = { load_public: false, load_org: false, load_user: true, ...inProject(folder) };
      const read = record(skillsSchema);
      const call = { method: 'POST', route: '/api/skills', body, read, elements: 'skills' } as const;
      return (await transport.request(call, signal)).skills;
    },
    listSubAgents: async (folder, signal) => {
      const how = { body: inProject(folder), read: record(subAgentsSchema), elements: 'agents' };
      const call = { method: 'POST', route: '/api/sub-agents', ...how } as const;
      return (await ifThere(transport, call, signal))?.agents ?? [];
    },
    listAddOns: async (signal) => (await Promise.all(kinds.map((kind) => listOne(kind, signal)))).flat(),
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
      const how = { body: sourceBody(from), timeoutMs: fetchTimeoutMs, read: () => true };
      await ifThere(transport, { method: 'POST', route: '/api/plugins/fetch', ...how }, signal);
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
