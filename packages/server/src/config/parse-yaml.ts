import { LineCounter, parseDocument, type YAMLError } from 'yaml';

/** What the parser reports, with the line of the file if it has one. */
interface YamlMessage {
  readonly text: string;
  readonly line?: number;
}

interface ParsedYaml {
  readonly content: unknown;
  readonly errors: readonly YamlMessage[];
  readonly warnings: readonly YamlMessage[];
}

/** Parses YAML, of which JSON is a subset. An empty text is an empty mapping. */
export function parseYaml(text: string): ParsedYaml {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const reported = ({ code, message, pos }: YAMLError) => ({
    text: code === 'MULTIPLE_DOCS' ? 'expected one document, got several' : withoutSource(message),
    line: lineCounter.linePos(pos[0]).line,
  });
  const errors = document.errors.map(reported);
  const warnings = document.warnings.map(reported);
  if (errors.length > 0) return { content: undefined, errors, warnings };
  try {
    const content: unknown = document.toJS() ?? {};
    if (containsItself(content)) throw new Error('An alias is part of the value that it repeats');
    return { content, errors, warnings };
  } catch (error) {
    // An alias without its anchor, or too many of them.
    return { content: undefined, errors: [{ text: withoutSource((error as Error).message) }], warnings };
  }
}

/** An alias can stand within its own anchor. */
function containsItself(content: unknown): boolean {
  try {
    JSON.stringify(content);
    return false;
  } catch {
    return true;
  }
}

/** A message without the part of the file that it quotes, because that part can be a secret. */
function withoutSource(message: string): string {
  return message.replace(/(?:(?<=\S): | [\\%]).*/s, '');
}
