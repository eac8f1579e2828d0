import type { ContentSources, DocumentAnswer } from '@watchword/protocol';
import { checkStatus } from './checked-form.ts';
import { demand, isText } from './nonsense.ts';

const origin = /^https:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/i;
const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;
const socket = /^wss:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/i;
const digest = /^'sha(?:256|384|512)-[A-Za-z0-9+/_-]+={0,2}'$/;
const data = /^data:$/;

/** What each kind of source may be. Nothing that would allow every host, or what somebody else wrote into the page. */
const grammar = {
  scripts: [origin, loopback, digest],
  styles: [origin, loopback, digest],
  pictures: [origin, loopback, data],
  fonts: [origin, loopback, data],
  connections: [origin, loopback, socket],
  frames: [origin, loopback],
  forms: [origin, loopback],
} as const satisfies Record<keyof ContentSources, readonly RegExp[]>;

/** @throws Nonsense */
export function checkDocument({ contentType, content, status, authState, allow }: DocumentAnswer): void {
  const isType = isText(contentType) && /^[\w.+-]+\/[\w.+-]+(?:; ?[\w.+-]+=[\w.+"-]+)*$/.test(contentType);
  demand(isType, 'a document without a contentType such as text/html; charset=utf-8', contentType);
  demand(isText(content), 'a document whose content is no text', content);
  demand(authState === undefined || isText(authState), 'an authState that is no text', authState);
  checkStatus(status);
  if (allow === undefined) return;
  for (const [kind, sources] of Object.entries(allow)) {
    demand(isKind(kind), `something to allow that is none of ${Object.keys(grammar).join(', ')}`);
    demand(Array.isArray(sources), `${kind} to allow that are no list`, sources);
    for (const source of sources) {
      const isFit = isText(source) && grammar[kind].some((pattern) => pattern.test(source));
      demand(isFit, `${kind} to allow of which one is no source that a document may have`);
    }
  }
}

function isKind(kind: string): kind is keyof ContentSources {
  return Object.hasOwn(grammar, kind);
}
