import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stableIdOf } from '../src/principal/stable-id.ts';
import type { NameId } from '../src/response/assertion.ts';
import { SamlError } from '../src/saml-error.ts';

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const subjectId = 'urn:oasis:names:tc:SAML:attribute:subject-id';
const issuer = 'https://idp.example';
const entityId = 'https://id.example/saml/metadata';

function nameId(overrides: Partial<NameId> = {}): NameId {
  const qualifiers = { nameQualifier: undefined, spNameQualifier: undefined };
  return { value: 'E-1', format: persistent, ...qualifiers, ...overrides };
}

function found(
  id: NameId | undefined,
  sources?: readonly string[],
  attributes: Readonly<Record<string, readonly string[]>> = {},
): string | undefined {
  return stableIdOf({ nameId: id, issuer }, new Map(Object.entries(attributes)), sources, entityId);
}

function refused(check: () => unknown, detail: RegExp): void {
  assert.throws(check, (error) => {
    assert.ok(error instanceof SamlError && error.check === 'name', String(error));
    assert.match(error.message, detail);
    return true;
  });
}

describe('the stable id of a user', () => {
  it('is a persistent NameID, and undefined without one and without configuration', () => {
    assert.equal(found(nameId()), 'NameID ["E-1","",""]');
    for (const none of [
      undefined,
      nameId({ format: undefined }),
      nameId({ format: 'x' }),
      nameId({ value: '' }),
    ]) {
      assert.equal(found(none), undefined);
    }
    assert.equal(found(nameId(), []), undefined);
  });

  it('has the qualifiers of a NameID that differ from those of the identity provider and of this server', () => {
    assert.equal(found(nameId({ nameQualifier: issuer, spNameQualifier: entityId })), found(nameId()));
    const others = [
      found(nameId()),
      found(nameId({ nameQualifier: 'https://behind.example' })),
      found(nameId({ spNameQualifier: 'https://behind.example' })),
      found(nameId({ value: 'e-1' })),
      found(nameId({ value: '["E-1","",""]' })),
    ];
    assert.equal(new Set(others).size, others.length);
  });

  it('is the value of the first configured source that has one, with the name of the source', () => {
    const attributes = { [subjectId]: [''], employeeNumber: ['E-1'] };
    assert.equal(found(nameId(), [subjectId, 'employeeNumber', 'NameID'], attributes), 'employeeNumber E-1');
    assert.equal(found(nameId(), [subjectId, 'NameID'], attributes), found(nameId()));
  });

  it('ignores the case of subject-id, as its profile requires, and of no other attribute', () => {
    const of = (name: string, value: string) => found(undefined, [name], { [name]: [value] });
    assert.equal(of(subjectId, 'E-1@IDP.example'), of(subjectId, 'e-1@idp.example'));
    assert.notEqual(of('uid', 'Emma'), of('uid', 'emma'));
  });

  it('rejects a login without a configured source, with several values, and with a value that is too long', () => {
    refused(() => found(nameId({ format: 'x' }), ['NameID']), /expected a value of NameID as the stable id/);
    refused(() => found(nameId(), [subjectId]), /expected a value of urn/);
    refused(() => found(nameId(), ['uid'], { uid: ['a', 'b'] }), /uid has several values/);
    refused(() => found(nameId(), ['uid'], { uid: ['x'.repeat(1021)] }), /longer than 1024/);
    assert.equal(found(nameId(), ['uid'], { uid: ['x'.repeat(1020)] })?.length, 1024);
  });
});
