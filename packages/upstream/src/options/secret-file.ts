import { readFileSync } from 'node:fs';
import { notUtf8, type OptionReader, pathProblem, secretLine, utf8Text } from '@watchword/protocol';

/** The secret of an option, or the content of the file that the option with `File` after its name has, without the end of its line. */
export function readSecret(options: OptionReader, name: string): string | undefined {
  const ofFile = `${name}File`;
  const [inline, file] = [options.text(name), secretFile(options, ofFile)];
  if (inline !== undefined && options.has(ofFile)) {
    return options.problem(name, `must not be given beside ${ofFile}`);
  }
  return inline ?? file;
}

function secretFile(options: OptionReader, name: string): string | undefined {
  const path = options.text(name);
  if (path === undefined) return undefined;
  const problem = pathProblem(path);
  if (problem !== undefined) return options.problem(name, `expected the path of a file; ${problem}`);
  try {
    const text = utf8Text(readFileSync(path));
    if (text === undefined) return options.problem(name, `the file cannot be read: ${notUtf8}`);
    return secretLine(text) || options.problem(name, 'the file is empty');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    // The message does not repeat the path: it can be the secret itself.
    return options.problem(
      name,
      `the file cannot be read: ${code}; a relative path is resolved from ${process.cwd()}`,
    );
  }
}
