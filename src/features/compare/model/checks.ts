import { plainText } from '../../../shared/plainText';
import type { Check } from '../../../shared/comparison';
import type { Entry } from '../../../shared/transcript';

/** How many checks are listed, latest first. */
const mostChecks = 50;
const longestCommand = 300;
/** Characters of a command that are examined. */
const mostRead = 2_000;

/** Programs and tasks that test, lint, build, or check types. */
const checking =
  /(^|[\s/])(tests?|check|checks|lint|build|typecheck|type-check|verify|pytest|unittest|jest|vitest|mocha|ava|tox|nox|rspec|phpunit|ctest|eslint|biome|ruff|flake8|pylint|mypy|pyright|black|prettier|tsc|clippy|golangci-lint|vet|make|cmake|ninja|mvn|gradle|gradlew|bazel|playwright|cypress|shellcheck|stylelint|rubocop|swiftlint|ktlint|checkstyle|xcodebuild)(:\S*)?(?=\s|$)/;

/** Commands that only mention a checking program. */
const harmless =
  /^(cat|ls|less|head|tail|grep|rg|find|which|echo|sed|cp|mv|rm|mkdir|touch|git|cd)\s|\s(install|add|i)\s/;

/**
 * The checks among the steps of a transcript, as each ended last, in the order of their last runs. In another folder,
 * the same command may run other checks, so a name leaves out only what sets up the shell.
 */
export function checksOf(entries: readonly Entry[]): Check[] {
  const found = new Map<string, Check>();
  for (const entry of entries) {
    if (entry.kind !== 'step' || entry.detail.step !== 'terminal') continue;
    if (entry.state === 'rejected' || entry.state === 'left' || entry.state === 'pending') continue;
    const command = entry.detail.command.trim().slice(0, mostRead);
    const parts = partsOf(command);
    if (!parts.some(({ text }) => isCheck(text))) continue;
    const name = plainText(command.replace(/\s+/g, ' '), longestCommand);
    const runs = (found.get(name)?.runs ?? 0) + 1;
    found.delete(name);
    const { exitCode } = entry.detail;
    found.set(name, { command: name, exitCode, isSure: isSure(parts) && !isBackground.test(command), runs });
  }
  return [...found.values()].slice(-mostChecks);
}

/** The exit code says only whether it started. */
const isBackground = /(?:^|[^&])&$/;

interface CommandPart {
  text: string;
  /** The operator after it, if there’s one. */
  end: string | undefined;
}

/** The commands in a line. Quoted text isn’t one. */
function partsOf(command: string): CommandPart[] {
  const parts: CommandPart[] = [];
  let text = '';
  const add = (end?: string) => {
    if (text.trim() !== '') parts.push({ text: text.trim(), end });
    text = '';
  };
  for (const [token] of command.matchAll(/\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"|>&|&>|&&|\|\||[^]/g)) {
    if (token === '&&' || token === '||' || '|;&\n'.includes(token)) add(token);
    else text += token;
  }
  add();
  return parts;
}

const isCheck = (part: string) => {
  // Variables that are set for the command.
  const bare = part.replace(/^(?:\w+=\S*\s+)*/, '');
  return checking.test(bare) && !harmless.test(bare);
};

/** Whether the exit code of the line says whether its checks passed. */
function isSure(parts: readonly CommandPart[]): boolean {
  const first = parts.findIndex(({ text }) => isCheck(text));
  return parts.slice(first, -1).every(({ end }) => end === '&&');
}
