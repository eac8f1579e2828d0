import { isObject, type LoginStrength, levelClasses, loginLevels } from '@watchword/protocol';
import * as v from 'valibot';
import { isShortText } from './checks.ts';
import { json, type Kind, type Schema, textSchema } from './kinds.ts';
import { expected } from './messages.ts';

const maxLength = 1024;
const standard = Object.values(levelClasses);
const levels = `one of the levels ${loginLevels.join(', ')}`;
const level = v.picklist(loginLevels, expected(levels));

const ownClass = textSchema(
  `a class of at most ${maxLength} characters without spaces, other than ${standard.join(', ')}`,
  (name) => name.length <= maxLength && /^[!-~]+$/.test(name) && !standard.includes(name),
);
const classesMessage = 'an object of authentication context classes with their levels';
const classes: Schema<LoginStrength['classes']> = v.pipe(
  v.custom<Record<string, unknown>>(isObject, expected(classesMessage)),
  v.record(ownClass, level),
);

/** Names of classes of the operator, each with its level. As text it is JSON. */
export const loginClasses: Kind<LoginStrength['classes']> = {
  fromFile: classes,
  fromText: json('an object', classes),
};

const values = v.pipe(
  v.array(
    textSchema(`a value of acr or amr of at most ${maxLength} characters`, isShortText(maxLength)),
    expected('a list of values of acr or amr'),
  ),
  v.nonEmpty(expected('a list of at least one value of acr or amr')),
);
const worth = expected('mfa or phr, each with a list of values of acr or amr');
const ofProvider = v.pipe(
  v.custom<Record<string, unknown>>(isObject, worth),
  v.strictObject({ mfa: v.optional(values), phr: v.optional(values) }, worth),
);
const providersMessage = 'an object of names of authenticators with mfa or phr';
const providers: Schema<LoginStrength['providers']> = v.pipe(
  v.custom<Record<string, unknown>>(isObject, expected(providersMessage)),
  v.record(v.string(), ofProvider),
);

/** By the name of an authenticator: values of `acr` and `amr` that are worth a level. As text it is JSON. */
export const providerLevels: Kind<LoginStrength['providers']> = {
  fromFile: providers,
  fromText: json('an object', providers),
};
