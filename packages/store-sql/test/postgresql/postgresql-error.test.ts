import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toPostgresqlError } from '../../src/dialects/postgresql/connection/postgresql-error.ts';

describe('an error of the server', () => {
  it('ends the connection or not, whatever the language of the server', () => {
    const isLost = (severity: string, code: string) =>
      toPostgresqlError(Object.assign(new Error('text'), { severity, code })).isLost;
    for (const error of ['ERROR', 'FEHLER', 'ERREUR', 'ОШИБКА']) {
      assert.equal(isLost(error, '23505'), false, error);
      assert.equal(isLost(error, '40P01'), false, error);
    }
    for (const fatal of ['FATAL', 'FATALE', 'ВАЖНО']) assert.equal(isLost(fatal, '57P01'), true, fatal);
    assert.ok(isLost('FATAL', '28P01'));
    assert.ok(isLost('PANIC', 'XX000'));
  });
});
