import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { toolIds, type ToolId } from '../../../src/ids';
import { ToolError } from '../../../src/features/tools/errors';
import { inputOf, inputs, limits } from '../../../src/features/tools/inputs';
import { projectFolder } from '../../support/paths';

interface Contribution {
  name: ToolId;
  inputSchema: { properties: Record<string, { description?: string }> };
}

const { contributes } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')) as {
  contributes: { languageModelTools: Contribution[] };
};

const schemas = {
  [toolIds.listSandboxes]: inputs.listSandboxes,
  [toolIds.listConversations]: inputs.listConversations,
  [toolIds.listAutomations]: inputs.listAutomations,
  [toolIds.startSandbox]: inputs.startSandbox,
  [toolIds.pauseSandbox]: inputs.changeSandbox,
  [toolIds.resumeSandbox]: inputs.changeSandbox,
  [toolIds.startConversation]: inputs.startConversation,
  [toolIds.readConversation]: inputs.readConversation,
  [toolIds.searchConversations]: inputs.searchConversations,
  [toolIds.compareConversations]: inputs.compareConversations,
  [toolIds.readUsage]: inputs.readUsage,
  [toolIds.listChanges]: inputs.listChanges,
  [toolIds.readChange]: inputs.readChange,
  [toolIds.readFile]: inputs.readFile,
  [toolIds.listFolder]: inputs.listFolder,
  [toolIds.searchFiles]: inputs.searchFiles,
  [toolIds.messageConversation]: inputs.messageConversation,
};
const ids = Object.values(toolIds);

/** The error message for an invalid input. */
function refusal(id: ToolId, input: unknown): string {
  try {
    inputOf(id, schemas[id] as typeof inputs.startSandbox, input);
  } catch (error) {
    assert.ok(error instanceof ToolError);
    return error.message;
  }
  throw new assert.AssertionError({ message: `${id} took ${JSON.stringify(input)}` });
}

describe('tool input', () => {
  for (const { name, inputSchema } of contributes.languageModelTools) {
    it(`matches the manifest, which describes each member (${name})`, () => {
      const { $schema: _, ...own } = z.toJSONSchema(schemas[name], { target: 'draft-7', io: 'input' });
      const properties = Object.entries(inputSchema.properties).map(([member, { description, ...rest }]) => {
        assert.match(description ?? '', /^\p{Lu}.{15,}\.$/u, member);
        return [member, rest];
      });
      assert.deepEqual({ ...inputSchema, properties: Object.fromEntries(properties) as unknown }, own);
    });
  }

  it('has defaults, and is normalized to the displayed text', () => {
    assert.deepEqual(inputOf(toolIds.listSandboxes, inputs.listSandboxes, {}), { limit: 20 });
    assert.deepEqual(
      inputOf(toolIds.startConversation, inputs.startConversation, {
        message: ' Mend\u202e it\r\n\x1b[31mnow\u200b\0 ',
        title: 'One\nline',
      }),
      { message: 'Mend it\nnow', title: 'One line' },
    );
  });

  it('reports what is invalid, what is allowed, and what to call', () => {
    const samples: [ToolId, unknown, RegExp][] = [
      [toolIds.listSandboxes, { limit: 0 }, /- limit must be 1 or more\./],
      [toolIds.listSandboxes, { limit: 101 }, /- limit must be 100 or less\./],
      [toolIds.listSandboxes, { limit: 1.5 }, /- limit must be a whole number\./],
      [toolIds.listSandboxes, { limit: 'ten' }, /- limit must be a whole number\./],
      [toolIds.listSandboxes, { includeSpecs: 'yes' }, /- includeSpecs must be true or false\./],
      [
        toolIds.listSandboxes,
        { state: 'RUNNING' },
        /must not have "state"[^]*properties: limit, status, includeSpecs/,
      ],
      [toolIds.listSandboxes, [], /- The input must be an object\./],
      [toolIds.listConversations, { repository: 'webshop' }, /- repository must have the form owner\/name\./],
      [
        toolIds.pauseSandbox,
        {},
        /- sandboxId must be a string\.[^]*agentWorkspace_listSandboxes returns the ids/,
      ],
      [toolIds.resumeSandbox, { sandboxId: '\u200b' }, /- sandboxId must not be empty\./],
      [
        toolIds.compareConversations,
        { conversationIds: ['c-1'] },
        /- conversationIds must have 2 or more elements\.[^]*listConversations returns the ids/,
      ],
      [
        toolIds.compareConversations,
        { conversationIds: Array(9).fill('c') },
        /- conversationIds must have 8 or fewer elements\./,
      ],
      [toolIds.compareConversations, { conversationIds: 'c-1' }, /- conversationIds must be an array\./],
      [
        toolIds.compareConversations,
        { conversationIds: ['c-1', ' '] },
        /- conversationIds\.1 must not be empty\./,
      ],
      [toolIds.startConversation, { message: ' \n' }, /- message must not be empty\./],
      [
        toolIds.startConversation,
        { message: 'x'.repeat(limits.message + 1) },
        /- message must have at most 10000 characters\./,
      ],
      [
        toolIds.startConversation,
        { message: 'Go', repository: 'a/b', gitProvider: 'svn' },
        /- gitProvider must be one of "github", "gitlab", "bitbucket", .*\./,
      ],
      [
        toolIds.startConversation,
        { message: 'Go', branch: 'main' },
        /- repository is required with branch or gitProvider\./,
      ],
    ];
    for (const [id, input, words] of samples) {
      const said = refusal(id, input);
      assert.match(said, words);
      assert.match(said, /^Nothing was done/);
      assert.ok(said.includes(`call ${id} again`));
    }
  });

  it('leads to the ids that are wrong, and names five problems at most', () => {
    const sandboxes = `${toolIds.listSandboxes} returns the ids of sandboxes.`;
    const conversations = `${toolIds.listConversations} returns the ids of conversations.`;
    const hints = (id: ToolId, input: object) =>
      refusal(id, input)
        .split('\n')
        .filter((line) => line.includes(' returns the ids of '));
    assert.deepEqual(hints(toolIds.pauseSandbox, { sandboxId: ' ', all: true }), [sandboxes]);
    assert.deepEqual(hints(toolIds.readConversation, { conversationId: ' ', limit: 0 }), [conversations]);
    assert.deepEqual(hints(toolIds.compareConversations, { conversationIds: [] }), [conversations]);
    assert.deepEqual(hints(toolIds.readConversation, { conversationId: 'c-1', limit: 0 }), []);
    const many = refusal(toolIds.compareConversations, { conversationIds: Array(7).fill(' ') });
    assert.equal(many.split('\n').filter((line) => line.startsWith('- ')).length, 5);
  });

  it('is accepted, or rejected with a short plain message, for any value', () => {
    let [taken, refused] = [0, 0];
    const value = fc.oneof(
      fc.jsonValue(),
      fc.integer({ min: -5, max: 200 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('a/b', 'github', 'main'),
    );
    const likely = fc.constantFrom('a/b', 'github', 'main', 20, true);
    const inputFor = (id: ToolId) => {
      const own = fc.constantFrom(...Object.keys(schemas[id].shape));
      return fc.oneof(
        fc.jsonValue(),
        fc.dictionary(own, value, { maxKeys: 2 }),
        fc.dictionary(own, likely, { maxKeys: 2 }),
        fc.dictionary(fc.oneof(own, fc.string({ unit: 'binary' })), value),
      );
    };
    const calls = fc.constantFrom(...ids).chain((id) => fc.tuple(fc.constant(id), inputFor(id)));
    fc.assert(
      fc.property(calls, ([id, input]) => {
        try {
          const own: object = inputOf(id, schemas[id] as typeof inputs.startSandbox, input);
          taken += 1;
          // A path is what was listed, byte by byte.
          const exact = [toolIds.readFile, toolIds.listFolder, toolIds.searchFiles].some((one) => one === id);
          for (const [member, text] of Object.entries(own) as [string, unknown][]) {
            if (typeof text !== 'string') continue;
            assert.ok(text.length > 0);
            if (exact && member === 'path') continue;
            assert.doesNotMatch(text, /(?!\n|\t)\p{Cc}|(?![\u200c\u200d])\p{Cf}|\p{Cs}/u);
          }
        } catch (error) {
          if (!(error instanceof ToolError)) throw error;
          refused += 1;
          assert.ok(error.message.length < 1_000, error.message);
          assert.doesNotMatch(error.message, /(?!\n)\p{Cc}|(?![\u200c\u200d])\p{Cf}/u);
          assert.match(error.message, /call agentWorkspace_\w+ again\./);
        }
      }),
      { numRuns: 3_000 },
    );
    assert.ok(taken > 300 && refused > 300);
    console.log(`        3000 inputs: ${taken} taken, ${refused} refused`);
  });
});
