import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages', import.meta.url));
const ofPages = readdirSync(packages)
  .map((name) => `${packages}/${name}/locales`)
  .filter((directory) => existsSync(directory));
const filesOf = (directory: string) => readdirSync(directory).filter((file) => file.endsWith('.json'));

describe('the texts of pages', () => {
  it('are in the same languages in every package, and each is one file', () => {
    const [first = '', ...others] = ofPages;
    assert.ok(others.length > 1, ofPages.join());
    for (const directory of others) assert.deepEqual(filesOf(directory), filesOf(first), directory);
  });

  /** Forms of address that do not belong beside those of the other texts. */
  const others: Readonly<Record<string, RegExp>> = {
    'nl.json': /(?<!\p{L})(?:u|uw)(?!\p{L})/iu,
    'it.json': /(?<!\p{L})(?:tuo|tua|tuoi|tue|hai|sei|puoi|vuoi|ti)(?!\p{L})/iu,
    'de.json': /(?<!\p{L})(?:du|dich|dir|dein|deine|deinem|deinen|deiner)(?!\p{L})/iu,
    'fr.json': /(?<!\p{L})(?:tu|toi|ton|tes)(?!\p{L})/iu,
    'es.json': /(?<!\p{L})(?:tú|tu|tus|ti|contigo)(?!\p{L})/iu,
  };
  for (const [file, other] of Object.entries(others)) {
    it(`address people in one way: ${basename(file, '.json')}`, () => {
      for (const directory of [...ofPages, `${packages}/server/locales/console`]) {
        if (!existsSync(`${directory}/${file}`)) continue;
        const texts: Record<string, string> = JSON.parse(readFileSync(`${directory}/${file}`, 'utf8'));
        const found = Object.entries(texts).filter(([, text]) => other.test(text));
        assert.deepEqual(found, [], directory);
      }
    });
  }
});
