import { Script } from 'node:vm';
import type { Eta } from 'eta';

/** The line of a template at which the compiler stopped, from 1, and the reason. */
export interface TemplateProblem {
  readonly line: number;
  readonly problem: string;
}

/** Compiles a template only to find its problem; `undefined` if it has none. */
export function templateProblem(eta: Eta, source: string): TemplateProblem | undefined {
  let code: string;
  try {
    code = eta.compileToString(source);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [problem = '', line = '1'] = message.split(/ at line (\d+) /);
    return { line: Number(line), problem: firstLine(problem) };
  }
  try {
    eta.compile(source);
    return undefined;
  } catch {
    return {
      line: templateLine(code, source),
      problem: scriptProblem(code)?.problem ?? 'is not a valid template',
    };
  }
}

/** Finds the line in the template. Before each tag the generated code names the line at which the tag begins. */
function templateLine(code: string, source: string): number {
  const sourceLines = source.trimEnd().split('\n');
  const codeLines = code.split('\n');
  const failing = scriptProblem(code)?.line ?? codeLines.length;
  for (let index = Math.min(failing, codeLines.length) - 1; index >= 0; index--) {
    const [, tag] = /^__eta\.line=(\d+)$/.exec(codeLines[index] ?? '') ?? [];
    if (tag === undefined) continue;
    const begin = firstLineOf(Number(tag), sourceLines);
    return Math.min(begin + Math.max(0, failing - index - 2), sourceLines.length);
  }
  return sourceLines.length;
}

/** Empty lines at the beginning of a tag are not in the generated code. */
function firstLineOf(tag: number, sourceLines: readonly string[]): number {
  if (!/<%[-_]?[=~]?\s*$/.test(sourceLines[tag - 1] ?? '')) return tag;
  const following = sourceLines.slice(tag).findIndex((line) => line.trim() !== '');
  return following === -1 ? tag : tag + 1 + following;
}

function scriptProblem(code: string): { line: number; problem: string } | undefined {
  try {
    // The first line of the script is the first line of the code. The script is compiled and never run.
    new Script(`(function(it,options){${code}\n})`, { filename: 'template' });
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) return undefined;
    const [, line = '1'] = /^template:(\d+)/.exec(error.stack ?? '') ?? [];
    return { line: Number(line), problem: error.message };
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
