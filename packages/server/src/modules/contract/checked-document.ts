import type { ContentSources } from '@watchword/protocol';
import * as v from 'valibot';
import { status, text } from './values.ts';

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

export const documentAnswer = v.object({
  type: v.literal('document'),
  contentType: v.pipe(text, v.regex(contentType, 'a content type such as text/html; charset=utf-8')),
  content: text,
  authState: v.optional(text),
  status,
  allow: v.optional(v.strictObject(allowed, `an object with ${Object.keys(allowed).join(', ')}`)),
});
