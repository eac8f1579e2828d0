import { type DocumentHosts, hostPattern } from '@watchword/protocol';
import * as v from 'valibot';
import { decoded, type Kind, type Schema, separatedByCommas, textSchema } from './kinds.ts';
import { expected } from './messages.ts';

const what = 'on, off, or a list of host names such as example.com and *.example.com';

const pattern = v.pipe(
  textSchema(
    'a host name such as example.com, or *.example.com for all names below it',
    (value) => hostPattern(value) !== undefined,
  ),
  v.transform((value) => hostPattern(value) ?? value),
);

const schema: Schema<DocumentHosts> = v.lazy((value) =>
  Array.isArray(value)
    ? v.pipe(v.array(pattern), v.nonEmpty(expected(what)))
    : v.picklist(['on', 'off'], expected(what)),
);

/** Which clients can bring a document. As text it is `on`, `off`, or hosts with commas between them. */
export const documentHosts: Kind<DocumentHosts> = {
  fromFile: schema,
  fromText: decoded((value) => (/^(?:on|off)$/.test(value) ? value : separatedByCommas(value)), schema),
  placeholder: 'on|off|HOSTS',
};
