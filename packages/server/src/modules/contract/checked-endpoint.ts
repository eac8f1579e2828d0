import { type ContentSources, type ModuleAnswer, type ModuleEndpoint, shown } from '@watchword/protocol';
import * as v from 'valibot';
import type { ModuleCall, ModuleCalls } from '../module-calls.ts';
import { heldVariant, variants } from './contract-error.ts';
import { callable, listOfTexts, location, message, status, text, wholeNumber } from './values.ts';

const origin = /^https:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/i;
const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;
const socket = /^wss:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/i;
const digest = /^'sha(?:256|384|512)-[A-Za-z0-9+/_-]+={0,2}'$/;
const data = /^data:$/;

/** The permitted values of a kind of source. None of them allows every host, or inline content without its digest. */
function sources(...patterns: readonly RegExp[]) {
  const isSource = (value: unknown) =>
    typeof value === 'string' && patterns.some((pattern) => pattern.test(value));
  const source = v.custom<string>(isSource, 'a permitted source');
  return v.optional(v.array(source, 'a list of sources'));
}

const allowed = {
  scripts: sources(origin, loopback, digest),
  styles: sources(origin, loopback, digest),
  pictures: sources(origin, loopback, data),
  fonts: sources(origin, loopback, data),
  connections: sources(origin, loopback, socket),
  frames: sources(origin, loopback),
  forms: sources(origin, loopback),
} satisfies Record<keyof ContentSources, unknown>;

const contentType = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w.+-]+=[\w.+"-]+)*$/;

const documentAnswer = v.object({
  type: v.literal('document'),
  contentType: v.pipe(text, v.regex(contentType, 'a content type such as text/html; charset=utf-8')),
  content: text,
  authState: v.optional(text),
  status,
  allow: v.optional(v.strictObject(allowed, `an object with ${Object.keys(allowed).join(', ')}`)),
});

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
      onEnded: v.optional(callable),
      location: v.optional(location),
      document: v.optional(documentAnswer),
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
  const { path, method, bodyLimit, repeatsPosts } = endpoint;
  checkAddress(endpoint);
  return {
    path,
    method,
    ...(bodyLimit !== undefined && { bodyLimit }),
    ...(repeatsPosts !== undefined && { repeatsPosts }),
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
