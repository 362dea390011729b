import * as z from 'zod/mini';
import { someText } from '../../shared/bounded';
import type { Transport } from '../http/transport';
import { lenientList, maybe, maybeText } from '../lenient';
import { shownAddress } from '../shownAddress';
import { record } from './calls';

/** What is installed: instructions for agents, or a plugin with more than these. */
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
  /** `POST .../install`: an error of reason `conflict` if it’s installed. */
  install(kind: AddOnKind, source: string, signal?: AbortSignal): Promise<void>;
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

/** The calls for the skills and plugins of a standalone agent server. */
export function skillCalls(transport: Transport): SkillCalls {
  const listOne = async (kind: AddOnKind, signal?: AbortSignal): Promise<AddOn[]> => {
    const read = record<z.infer<typeof addOnSchema>[]>(installedSchemas[kind]);
    const call = { method: 'GET', route: `/api/${kind}s/installed`, read } as const;
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
      const call = { method: 'POST', route: '/api/skills', body, read: record(skillsSchema) } as const;
      return (await transport.request(call, signal)).skills;
    },
    listAddOns: async (signal) => [...(await listOne('skill', signal)), ...(await listOne('plugin', signal))],
    install: (kind, source, signal) => {
      const call = { method: 'POST', route: `/api/${kind}s/install`, body: { source } } as const;
      return transport.request({ ...call, timeoutMs: fetchTimeoutMs }, signal);
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
