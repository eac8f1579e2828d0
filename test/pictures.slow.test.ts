import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { picturesFolder, takePictures, wordsOf } from '../scripts/docs/pictures.ts';

describe('the pictures of the README', () => {
  it('show the words that the pages have today', async () => {
    const kept = readFileSync(`${picturesFolder}words.json`, 'utf8');
    assert.equal(kept, wordsOf(await takePictures()), 'npm run docs:pictures');
  });
});
