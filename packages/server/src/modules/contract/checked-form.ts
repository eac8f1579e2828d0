import type { FormStep, LoginField, Message } from '@watchword/protocol';
import { demand, isRecordOfTexts, isText, isWhole } from './nonsense.ts';

const fieldTypes: readonly string[] = ['text', 'password', 'email', 'tel'] satisfies LoginField['type'][];
const maxFields = 50;

/** Holds what all forms have in common to the contract. @throws Nonsense */
export function checkForm({ status, retryAfter, message, state }: FormStep): void {
  checkStatus(status);
  demand(
    retryAfter === undefined || isWhole(retryAfter, 0, 86_400),
    'a retryAfter that is no number of seconds up to a day',
    retryAfter,
  );
  checkMessage(message);
  checkState(state);
}

/** @throws Nonsense */
export function checkStatus(status: number | undefined): void {
  const isFit = status === undefined || status === 200 || isWhole(status, 400, 599);
  demand(isFit, 'a status that is neither 200 nor that of an error', status);
}

/** @throws Nonsense */
export function checkMessage(message: Message | undefined): void {
  if (message === undefined || isText(message)) return;
  demand(isText(message?.key), 'a message that is neither a text nor has a key', message);
  const { values } = message;
  demand(values === undefined || isRecordOfTexts(values), 'a message whose values are no texts', values);
}

/** @throws Nonsense for what could not travel with the page */
export function checkState(state: unknown): void {
  if (state === undefined) return;
  try {
    demand(JSON.stringify(state) !== undefined, 'a state that JSON cannot write', state);
  } catch {
    demand(false, 'a state that JSON cannot write', state);
  }
}

/** @throws Nonsense */
export function checkFields(fields: readonly LoginField[] | undefined): void {
  if (fields === undefined) return;
  demand(
    Array.isArray(fields) && fields.length <= maxFields,
    `fields that are no list of at most ${maxFields}`,
  );
  for (const field of fields) {
    const { name, label, type, autocomplete, value } = (field ?? {}) as Partial<LoginField>;
    demand(isText(name) && name !== '' && name !== 'auth_state', 'a field without a name of its own', name);
    demand(isText(label) && label !== '', `the field ${name} without a label`, label);
    const types = fieldTypes.join(', ');
    demand(
      isText(type) && fieldTypes.includes(type),
      `the field ${name} whose type is none of ${types}`,
      type,
    );
    demand(isText(autocomplete), `the field ${name} without autocomplete`, autocomplete);
    demand(value === undefined || isText(value), `the field ${name} whose value is no text`, value);
  }
  const names = fields.map(({ name }) => name);
  demand(new Set(names).size === names.length, 'two fields of one name');
}
