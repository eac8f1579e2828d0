import { type ModuleAnswer, type ModuleEndpoint, shown } from '@watchword/protocol';
import * as v from 'valibot';
import type { ModuleCall, ModuleCalls } from '../module-calls.ts';
import { documentAnswer } from './checked-document.ts';
import { heldVariant, variants } from './contract-error.ts';
import { callable, listOfTexts, location, message, status, text, wholeNumber } from './values.ts';

export const maxBodyLimit = 512 * 1024;
const maxRemembered = 1000;
const maxChoices = 1000;

const choice = v.object({ value: text, name: text, picture: text }, 'a choice with value, name and picture');

const moduleAnswer = variants(
  [
    documentAnswer,
    v.object({ type: v.literal('redirect'), location }),
    v.object({
      type: v.literal('resume'),
      authState: text,
      submission: v.map(text, listOfTexts, 'a Map of lists of texts'),
      remember: v.optional(
        v.pipe(text, v.maxLength(maxRemembered, `a text of at most ${maxRemembered} characters`)),
      ),
    }),
    v.object({
      type: v.literal('choice'),
      authState: text,
      query: text,
      choices: v.pipe(
        v.array(choice, 'a list of choices'),
        v.maxLength(maxChoices, `a list of at most ${maxChoices} choices`),
      ),
      matches: wholeNumber(0, Number.MAX_SAFE_INTEGER),
      last: v.optional(choice),
      status,
      message,
    }),
    v.object({
      type: v.literal('logout'),
      key: v.optional(text),
      isMeant: v.optional(callable),
      location: v.optional(location),
    }),
  ],
  'an answer: document, redirect, resume, choice or logout',
);

/** Checks an address of a module, and its answers, against the contract. @throws TypeError while the module is loaded */
export function checkedEndpoint(
  endpoint: ModuleEndpoint,
  calls: ModuleCalls,
  call: (part: string, requestId: string) => ModuleCall,
): ModuleEndpoint {
  const { path, method, bodyLimit } = endpoint;
  checkAddress(endpoint);
  return {
    path,
    method,
    ...(bodyLimit !== undefined && { bodyLimit }),
    answer: (request) =>
      calls.run(call(`${method} ${path}`, request.requestId), () => endpoint.answer(request), checkedAnswer),
  };
}

function checkAddress({ path, method, bodyLimit = 0 }: ModuleEndpoint): void {
  if (!/^(?:\/[a-z0-9][a-z0-9.-]*)+$/.test(path)) {
    throw new TypeError(`the address of a module must be a path such as /saml/acs, got ${shown(path, 200)}`);
  }
  if (method !== 'GET' && method !== 'POST') {
    throw new TypeError(
      `the method of the address ${path} of a module must be GET or POST, got ${String(method)}`,
    );
  }
  if (!Number.isSafeInteger(bodyLimit) || bodyLimit < 0 || bodyLimit > maxBodyLimit) {
    throw new TypeError(
      `the bodyLimit of the address ${path} of a module must be at most ${maxBodyLimit} bytes`,
    );
  }
}

/** @throws ContractError */
function checkedAnswer(answer: ModuleAnswer): ModuleAnswer {
  heldVariant(moduleAnswer, answer);
  return answer;
}
