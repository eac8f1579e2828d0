import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearestName, notUtf8, utf8Text } from '@watchword/protocol';
import { Eta, EtaRuntimeError } from 'eta';
import type { Problem } from '../configuration-error.ts';
import { templateProblem } from './template-problem.ts';
import { escapeHtml } from './texts/presentable.ts';

/** Renders the template with this name as HTML. */
export type TemplateRenderer = (name: string, data: object) => string;

/** A replaced template that failed while it rendered. The built-in template was used instead. */
export interface FailedReplacement {
  /** `file:line`, or the name of the page if the line is not known. */
  readonly place: string;
  readonly problem: string;
}

const builtInDirectory = fileURLToPath(new URL('../../templates/', import.meta.url));

type Compiled = ReturnType<Eta['compile']>;

/** Templates by their names. */
type Templates = readonly (readonly [string, Compiled])[];

/** Compiled once for all servers of a process, when the first of them renders a page. */
const builtInTemplates = later(() => compiledIn(builtInDirectory));

/** The templates. A file in the directory of the operator replaces the built-in one of the same name. */
export function createTemplates(
  directory: string | undefined,
  problems: Problem[],
  onFailure: (failure: FailedReplacement) => void,
): TemplateRenderer {
  const builtIn = later(() => etaOf(builtInTemplates()));
  const renderBuiltIn: TemplateRenderer = (name, data) => builtIn().render(`@${name}`, data);
  if (directory === undefined) return renderBuiltIn;

  problems.push(...problemsOf(directory));
  const replaced = later(() => etaOf([...builtInTemplates(), ...compiledIn(directory)]));
  return (name, data) => {
    try {
      return replaced().render(`@${name}`, data);
    } catch (error) {
      onFailure(describeFailure(name, error));
      return renderBuiltIn(name, data);
    }
  };
}

function newEta(): Eta {
  // `debug` adds line numbers, so that an error has its place.
  return new Eta({ cache: true, autoEscape: true, escapeFunction: escapeHtml, debug: true });
}

function compiledIn(directory: string): Templates {
  const eta = newEta();
  return templateFiles(directory).map((file) => {
    const path = join(directory, file);
    const compiled = eta.compile(utf8Text(readFileSync(path)) ?? '');
    // Layouts and parts run with the options of the page. So each gets its own path.
    const withPath: Compiled = function (data, options) {
      return compiled.call(this, data, { ...options, filepath: path });
    };
    return [file.slice(0, -'.eta'.length), withPath];
  });
}

function etaOf(templates: Templates): Eta {
  const eta = newEta();
  for (const [name, compiled] of templates) eta.loadTemplate(`@${name}`, compiled);
  return eta;
}

function problemsOf(directory: string): Problem[] {
  const setting = 'pages.templates';
  try {
    const files = templateFiles(directory).map((file) => {
      const path = join(directory, file);
      return { name: file.slice(0, -'.eta'.length), path, source: utf8Text(readFileSync(path)) };
    });
    const other = files.find(({ source }) => source === undefined);
    if (other !== undefined) return [{ path: setting, place: other.path, problem: notUtf8 }];
    const sources = files.map((file) => ({ ...file, source: file.source ?? '' }));
    return sources.flatMap(({ name, path, source }) => {
      const others = sources.filter((other) => other.path !== path);
      const unused = nameProblem(
        name,
        others.map((other) => other.source),
      );
      const broken = templateProblem(newEta(), source);
      return [
        ...(unused === undefined ? [] : [{ path: setting, place: path, problem: unused }]),
        ...(broken === undefined
          ? []
          : [{ path: setting, place: `${path}:${broken.line}`, problem: broken.problem }]),
      ];
    });
  } catch (error) {
    const problem = `expected a directory with files such as login.eta: ${(error as Error).message}`;
    return [{ path: setting, place: directory, problem }];
  }
}

/** The problem of a template whose name no page and no other template uses. */
function nameProblem(name: string, others: readonly string[]): string | undefined {
  const builtIn = templateFiles(builtInDirectory).map((file) => file.slice(0, -'.eta'.length));
  const isIncluded = ["'", '"', '`'].some((quote) =>
    others.some((source) => source.includes(`${quote}@${name}${quote}`)),
  );
  if (builtIn.includes(name) || isIncluded) return undefined;
  const near = nearestName(name, builtIn);
  const hint = near === undefined ? '' : `; did you mean ${near}.eta?`;
  return `expected the name of a built-in template (${builtIn.join(', ')}), or one that another template of the directory includes as '@${name}'${hint}`;
}

function templateFiles(directory: string): string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.eta') && !file.startsWith('.'))
    .sort();
}

function describeFailure(name: string, error: unknown): FailedReplacement {
  let innermost = error;
  while (innermost instanceof EtaRuntimeError && innermost.cause instanceof EtaRuntimeError) {
    innermost = innermost.cause;
  }
  if (!(innermost instanceof EtaRuntimeError)) return { place: name, problem: messageOf(innermost) };
  return { place: innermost.message.split('\n', 1)[0] ?? name, problem: messageOf(innermost.cause) };
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}

function later<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
