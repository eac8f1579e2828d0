import type { FieldTable } from './field.ts';
import type { TextKind } from './kind.ts';
import { emailProblems, maxNameLength, maxTextLength, nameProblems, webUrlProblems } from './problems.ts';

export const nameKind = {
  type: 'text',
  minLength: 1,
  maxLength: maxNameLength,
} as const satisfies TextKind;

/** The fields that describe a resource server or a client to users. */
export const describedFields = {
  description: {
    kind: { type: 'text', maxLength: maxTextLength },
    setBy: 'owner',
    label: 'Description',
    summary: 'what it is for',
  },
  contactName: {
    kind: nameKind,
    setBy: 'owner',
    isRequired: true,
    check: nameProblems,
    label: 'Contact name',
    summary: 'name of the person or team to contact about it',
  },
  contactEmail: {
    kind: { type: 'text', maxLength: maxNameLength },
    setBy: 'owner',
    check: emailProblems,
    label: 'Contact e-mail',
    summary: 'e-mail address for questions about it, or empty',
    option: '--contact-email <address>',
  },
  thumbNailUrl: {
    kind: { type: 'text', maxLength: maxTextLength },
    setBy: 'owner',
    check: webUrlProblems,
    label: 'Picture',
    summary: 'an http(s) URL of its picture, or empty',
    details: 'The server never fetches it.',
    option: '--thumb-nail-url <url>',
  },
} as const satisfies FieldTable;
