import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AuditEvent, auditCsv, auditCsvHead } from '../src/index.ts';

const event: AuditEvent = {
  id: '0199a1c0-0000-7000-8000-000000000000',
  time: Date.UTC(2026, 10, 28, 23, 59, 58, 7),
  actor: 'root',
  actorAuthority: 'password',
  clientId: null,
  clientName: null,
  source: '192.0.2.1',
  action: 'update',
  recordType: 'client',
  recordId: '7',
  recordName: 'night-job',
  owner: 'emma',
  ownerAuthority: 'password',
  before: { description: 'a "quoted", text' },
  after: null,
};

describe('audit events as CSV', () => {
  it('have a line each with exact times, and quotation marks around every cell', () => {
    assert.equal(
      auditCsvHead,
      '"time","action","recordType","recordName","recordId","actor","actorAuthority","clientId","source","owner","ownerAuthority","before","after","id","clientName"\r\n',
    );
    assert.equal(
      auditCsv([event, { ...event, recordName: 'two\nlines;three' }]),
      [
        '"2026-11-28T23:59:58.007Z","update","client","night-job","7","root","password","","192.0.2.1","emma","password","{""description"":""a \\""quoted\\"", text""}","","0199a1c0-0000-7000-8000-000000000000",""\r\n',
        '"2026-11-28T23:59:58.007Z","update","client","two\nlines;three","7","root","password","","192.0.2.1","emma","password","{""description"":""a \\""quoted\\"", text""}","","0199a1c0-0000-7000-8000-000000000000",""\r\n',
      ].join(''),
    );
  });

  it('are no formulas of a spreadsheet, whatever a record or a person is called', () => {
    for (const name of [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      ' =1',
      '\r=1',
      '\n=1',
      '＝1',
      '|calc',
      '%x',
    ]) {
      assert.match(auditCsv([{ ...event, actor: name }]), /,"'[^"]+","password","",/, JSON.stringify(name));
    }
    assert.ok(!auditCsv([event]).includes("'"));
  });
});
