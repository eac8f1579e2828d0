import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What the signature is for, so that a signature of the same key for something else is no signature of a release. */
const namespace = 'watchword-release';
/** Who has signed, in the file of allowed signers. */
const identity = 'release';

/** The files of a release that are signed. The second one has the digest of every other file. */
const signedFiles = ['NOTES.md', 'SHA256SUMS'];

/** Where a release is made, from the root of the checkout. */
export const releaseFolder = 'artifacts/release';
/** The keys that may sign a release, as users have them (ALLOWED SIGNERS of ssh-keygen). */
export const allowedSigners = 'deploy/allowed_signers';

/**
 * Signs a release with an SSH key, each file into one beside it that ends in `.sig`, and verifies the signatures as a user does.
 *
 * @param folder of the release
 * @param key file of a private key, or of a public key whose private half is held by ssh-agent
 * @param signers file of the keys that may sign a release
 * @throws Error when the key cannot sign, or is no allowed signer
 */
export function signRelease(folder: string, key: string, signers: string): void {
  for (const name of signedFiles) {
    const file = join(folder, name);
    rmSync(`${file}.sig`, { force: true });
    const sign = ['-Y', 'sign', '-q', '-n', namespace, '-f', key, file];
    execFileSync('ssh-keygen', sign, { stdio: ['inherit', 'ignore', 'inherit'] });
    const verify = ['-Y', 'verify', '-f', signers, '-I', identity, '-n', namespace, '-s', `${file}.sig`];
    try {
      execFileSync('ssh-keygen', verify, { input: readFileSync(file), stdio: 'pipe' });
    } catch {
      throw new Error(
        `${key}: expected a key of ${signers}. Add a line: ${identity} namespaces="${namespace}" PUBLIC KEY`,
      );
    }
  }
}
