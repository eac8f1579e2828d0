import type { ChoiceAnswer, ModuleAnswer, ModuleEndpoint } from '@watchword/protocol';
import type { ModuleCall, ModuleCalls } from '../module-calls.ts';
import { checkDocument } from './checked-document.ts';
import { checkMessage, checkStatus } from './checked-form.ts';
import { checkedLocation } from './checked-location.ts';
import { checkStep } from './checked-step.ts';
import { demand, isListOfTexts, isText, isWhole } from './nonsense.ts';

const maxBodyLimit = 512 * 1024;
const maxRemembered = 1000;
const maxChoices = 1000;

const answers: readonly ModuleAnswer['type'][] = ['document', 'redirect', 'resume', 'choice', 'logout'];

/** Holds an address of a module, and what it answers, to the contract. @throws TypeError, while the module is loaded */
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
    throw new TypeError(
      `an address of a module is a path such as /saml/acs, and not ${JSON.stringify(path)}`,
    );
  }
  if (method !== 'GET' && method !== 'POST') {
    throw new TypeError(`the address ${path} of a module answers GET or POST, and not ${String(method)}`);
  }
  if (!Number.isSafeInteger(bodyLimit) || bodyLimit < 0 || bodyLimit > maxBodyLimit) {
    throw new TypeError(`the address ${path} of a module takes bodies of at most ${maxBodyLimit} bytes`);
  }
}

/** @throws Nonsense */
function checkedAnswer(answer: ModuleAnswer): ModuleAnswer {
  checkStep(answer, answers);
  switch (answer.type) {
    case 'document':
      checkDocument(answer);
      break;
    case 'redirect':
      checkedLocation(answer.location);
      break;
    case 'resume': {
      const { authState, submission, remember = '' } = answer;
      demand(isText(authState), 'an authState that is no text', authState);
      demand(isSubmission(submission), 'a submission that is no Map of lists of texts', submission);
      const isFit = isText(remember) && remember.length <= maxRemembered;
      demand(isFit, `something to remember that is no text of at most ${maxRemembered} characters`);
      break;
    }
    case 'choice':
      checkChoice(answer);
      break;
    case 'logout': {
      const { key = '', isMeant, location } = answer;
      demand(isText(key), 'a key that is no text', key);
      demand(
        isMeant === undefined || typeof isMeant === 'function',
        'an isMeant that is no function',
        isMeant,
      );
      if (location !== undefined) checkedLocation(location);
    }
  }
  return answer;
}

function checkChoice({ authState, query, choices, matches, last, status, message }: ChoiceAnswer): void {
  demand(isText(authState), 'an authState that is no text', authState);
  demand(isText(query), 'a query that is no text', query);
  demand(Array.isArray(choices) && choices.length <= maxChoices, `no list of at most ${maxChoices} choices`);
  for (const choice of last === undefined ? choices : [...choices, last]) {
    const { value, name, picture } = choice ?? {};
    demand(isText(value) && isText(name) && isText(picture), 'a choice without value, name or picture');
  }
  demand(isWhole(matches, 0, Number.MAX_SAFE_INTEGER), 'matches that are no number', matches);
  checkStatus(status);
  checkMessage(message);
}

function isSubmission(value: unknown): boolean {
  return value instanceof Map && [...value].every(([name, values]) => isText(name) && isListOfTexts(values));
}
