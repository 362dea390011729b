import { isObject, ok, type Answer, type Call } from '../http';
import { isNew, type Release } from './release';

/** What is installed on an agent server, by kind and name. */
export type AddOns = Map<string, { name: string; source: string; enabled: boolean; refreshed: number }>;

const refused = (status: number, detail: unknown): Answer => ({ status, body: { detail } });

/** What the server’s catalog offers. */
function catalog(kind: string, addOns: AddOns): object[] {
  const isSkill = kind === 'skills';
  const name = isSkill ? 'release-check' : 'reviewer';
  const place = isSkill ? {} : { ref: 'v2', repo_path: 'plugins/reviewer' };
  const about = { description: 'From the catalog', installed: addOns.has(`${kind}/${name}`) };
  return [{ name, ...about, source: `github:catalog/${name}`, ...place }];
}

/** A folder’s own come first; the server’s own are always there. */
function subAgents({
  project_dir: folder,
  load_project: isProject = true,
}: Record<string, unknown>): object[] {
  const own = { model: 'inherit', color: null, skills: [], mcp_config: { a: { url: 'canary-mcp' } } };
  const reviewer = {
    ...{ ...own, name: 'reviewer', description: 'Reviews changes', tools: ['terminal', 'file_editor'] },
    ...{
      system_prompt: 'Read the changes first.',
      level: 'project',
      source: `${String(folder)}/.agents/agents`,
    },
    is_builtin: false,
  };
  const general = {
    ...{ ...own, name: 'general-purpose', description: 'Any task', tools: ['terminal'] },
    ...{ system_prompt: 'Do the task.', level: 'builtin', source: null, is_builtin: true },
  };
  return typeof folder === 'string' && isProject === true ? [reviewer, general] : [general];
}

/** Answers requests for skills, plugins, subagents, and extensions; undefined for other requests. */
export function skillAnswer(addOns: AddOns, release: Release, call: Call): Answer | undefined {
  const body = 'value' in call.body && isObject(call.body.value) ? call.body.value : {};
  if (call.path === '/api/skills' && call.method === 'POST') {
    const skill = { name: 'release-notes', type: 'agentskills', content: '# Release notes', triggers: [] };
    const description = 'How to write release notes';
    return ok({
      skills: typeof body['project_dir'] === 'string' ? [{ ...skill, description }] : [],
      sources: {},
    });
  }
  if (call.path === '/api/sub-agents' && call.method === 'POST') return ok({ agents: subAgents(body) });
  const [, listed] = /^\/api\/(skills|plugins)\/marketplace$/.exec(call.path) ?? [];
  if (listed !== undefined) return ok({ [listed]: catalog(listed, addOns) });
  if (call.path === '/api/plugins/fetch' && isNew(release))
    return String(body['source']).includes('missing')
      ? refused(502, `Failed to fetch plugin source '${String(body['source'])}'`)
      : ok({ path: '/tmp/plugin', resolved_ref: null, manifest: {}, skills: [], commands: [] });
  const [, kind, act, name = '', refresh] =
    /^\/api\/(skills|plugins|canvas-extensions)\/(install|installed)(?:\/([^/]+))?(\/refresh)?$/.exec(
      call.path,
    ) ?? [];
  if (kind === undefined) return undefined;
  const key = `${kind}/${decodeURIComponent(name)}`;
  const addOn = addOns.get(key);
  if (act === 'install') {
    const source = String(body['source']);
    const own = source.split('/').at(-1) ?? source;
    if (addOns.has(`${kind}/${own}`)) return refused(409, `'${own}' is already installed`);
    if (!source.includes('/')) return refused(400, 'Failed to fetch skill source');
    const added = { name: own, source, enabled: kind !== 'canvas-extensions', refreshed: 0 };
    addOns.set(`${kind}/${own}`, added);
    return ok(added);
  }
  if (name === '') {
    const listed = [...addOns].filter(([one]) => one.startsWith(kind)).map(([, value]) => value);
    return ok({ [kind.replace('-', '_')]: listed });
  }
  if (!addOn) return refused(404, `'${name}' not found`);
  if (refresh !== undefined) addOn.refreshed += 1;
  else if (call.method === 'PATCH') addOn.enabled = body['enabled'] === true;
  else if (call.method === 'DELETE') addOns.delete(key);
  return ok({ ...addOn, message: 'done' });
}
