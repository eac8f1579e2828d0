import { ConfigurationError } from '../configuration-error.ts';
import { secretInFile } from '../secret-source.ts';

/** A secret of the configuration that can stand in a file of its own. */
export interface SecretInFile {
  /** The setting of the secret, and the setting of its file. */
  readonly path: string;
  readonly filePath: string;
  readonly text: string | undefined;
  readonly file: string | undefined;
  readonly form: string;
  isValid(text: string): boolean;
}

/** The secret, from its setting or its file, without white space around it. @throws ConfigurationError */
export async function secretOf(secret: SecretInFile): Promise<string | undefined> {
  const { path, text, file, form, isValid } = secret;
  if (file === undefined) return text;
  if (text !== undefined) throw problemOf(secret, `cannot be set together with ${path}; remove one of them`);
  const content = (await contentOf(secret, file)).trim();
  if (!isValid(content)) throw problemOf(secret, `expected ${form}, got another text`);
  return content;
}

async function contentOf(secret: SecretInFile, file: string): Promise<string> {
  try {
    return await secretInFile(file);
  } catch (error) {
    throw problemOf(secret, `cannot be read: ${(error as Error).message}`);
  }
}

function problemOf({ filePath, file = '' }: SecretInFile, problem: string): ConfigurationError {
  return new ConfigurationError([{ path: filePath, place: file, problem }]);
}
