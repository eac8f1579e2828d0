import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { notUtf8, type OptionReader, pathProblem, utf8Text } from '@watchword/protocol';

/** A private key with the certificate that is published in the metadata. */
export interface KeyPair {
  /** PEM. */
  readonly key: string;
  /** PEM. */
  readonly certificate: string;
}

/** The options `key` and `certificate`: each is PEM text, or the path of a PEM file. */
export function readKeyPair(options: OptionReader): KeyPair | undefined {
  const [key, certificate] = [readPem(options, 'key'), readPem(options, 'certificate')];
  options.rejectUnknown();
  if (key === undefined || certificate === undefined) {
    for (const name of ['key', 'certificate']) if (!options.has(name)) options.problem(name, 'is missing');
    return undefined;
  }
  const privateKey = attempt(() => createPrivateKey(key));
  const publicKey = attempt(() => new X509Certificate(certificate).publicKey);
  if (privateKey === undefined || privateKey.asymmetricKeyType !== 'rsa') {
    return options.problem('key', 'expected an RSA private key in PEM, without a passphrase');
  }
  if (publicKey === undefined) return options.problem('certificate', 'expected a certificate in PEM');
  if (!publicKey.equals(createPublicKey(privateKey))) {
    return options.problem('certificate', 'is not the certificate of the key');
  }
  return { key, certificate };
}

/**
 * Reads an option of certificates: each is PEM, base64 as in metadata, or the path of a file with one or more certificates.
 * Returns DER, base64.
 */
export function readCertificates(options: OptionReader, name: string): readonly string[] {
  return options.texts(name).flatMap((text) => {
    const pem = readPemText(options, name, text, /^[A-Za-z0-9+/=\s]{200,}$/);
    if (pem === undefined) return [];
    const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [pem];
    return blocks.flatMap((block) => {
      const base64 = block.replaceAll(/-----[^-]+-----|\s+/g, '');
      if (attempt(() => new X509Certificate(Buffer.from(base64, 'base64'))) !== undefined) return [base64];
      options.problem(name, 'expected certificates in PEM or base64, or the path of a file with them');
      return [];
    });
  });
}

function readPem(options: OptionReader, name: string): string | undefined {
  const text = options.text(name);
  return text === undefined ? undefined : readPemText(options, name, text, /^$/);
}

function readPemText(options: OptionReader, name: string, text: string, inline: RegExp): string | undefined {
  if (text.includes('-----BEGIN') || inline.test(text)) return text;
  const problem = pathProblem(text);
  if (problem !== undefined) {
    return options.problem(name, `expected PEM with its first line, or the path of a file; ${problem}`);
  }
  try {
    return utf8Text(readFileSync(text)) ?? options.problem(name, `the file cannot be read: ${notUtf8}`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    // The message does not repeat the path: it can be a key without its first line.
    return options.problem(
      name,
      `the file cannot be read: ${code}; a relative path is resolved from ${process.cwd()}`,
    );
  }
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
