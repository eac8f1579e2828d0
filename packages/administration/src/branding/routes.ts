import {
  type Branding,
  isInvisible,
  type Kind,
  type MalformedField,
  type StoredBranding,
} from '@watchword/protocol';
import { type Caller, requireAdministrator } from '../callers/caller.ts';
import { revisionTag } from '../changes/edit.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import { readRecord, rejectMalformed } from '../schema/read-record.ts';
import { inputSchema, optional } from '../schema/record-schema.ts';
import type { BrandingAdministration } from './branding-administration.ts';
import { brandColourNames, colourProblems } from './colours.ts';
import { logoUrl, maxLogoBytes, readLogo } from './logo.ts';
import { flatTexts, maxTextLength, maxTexts, textsByLanguage } from './texts.ts';

export interface BrandingRouteDependencies {
  readonly brandingAdministration: BrandingAdministration;
  readonly pageTexts: PageTexts;
}

/** What the pages for users say. */
export interface PageTexts {
  /** The languages (BCP 47). */
  languages(): readonly string[];
  /** The texts of a language without the branding, by key; in English where the language lacks one. */
  texts(language: string): Readonly<Record<string, string>>;
  /** All pages in all states, with what tells one from the others in a language. */
  states(language: string): readonly { readonly name: string; readonly label: string }[];
  /** The settings that come before the branding. */
  settings(): readonly string[];
}

const maxNameLength = 60;

const colours = {
  type: 'textMap',
  names: brandColourNames,
  maxLength: 7,
  maxMembers: brandColourNames.length,
} as const satisfies Kind;

const submitted = {
  description: 'How pages look and what they say. What is left out or empty is as it is built in.',
  fields: {
    productName: optional({ type: 'text', maxLength: maxNameLength }, 'The name of the server on its pages.'),
    logo: optional(
      { type: 'text', maxLength: 4 * Math.ceil(maxLogoBytes / 3) + 100 },
      `The picture beside the name: an SVG or PNG of at most ${maxLogoBytes / 1024} KiB, as a data URL in base64.`,
    ),
    lightColours: optional(
      colours,
      'Colours such as #17615c, by name, for devices with a light colour scheme. What stands on another must be readable (WCAG 2.2 AA).',
    ),
    darkColours: optional(colours, 'The same for devices with a dark colour scheme.'),
    texts: optional(
      { type: 'textMap', maxLength: maxTextLength, maxMembers: maxTexts },
      'Texts of pages by language and key: de/login.title. They are plain text; {name} in one is replaced by a value.',
    ),
  },
} as const;

const tag = 'Branding';
const path = '/admin/branding';
const description = 'Only for administrators.';
const reference = { $ref: '#/components/schemas/Branding' };

const text = { type: 'string' } as const;
const map = { type: 'object', additionalProperties: text } as const;

export const brandingSchema: JsonSchema = {
  type: 'object',
  description: 'How pages look and what they say, as administrators set it.',
  properties: {
    productName: { ...text, description: 'The name of the server on its pages.' },
    logo: { ...text, description: 'The picture beside the name, as a data URL.' },
    lightColours: { ...map, description: 'Colours by name, for light colour schemes.' },
    darkColours: { ...map, description: 'Colours by name, for dark colour schemes.' },
    texts: { ...map, description: 'Texts of pages by language and key: de/login.title.' },
    modificationDate: { ...timestampSchema, description: 'Epoch milliseconds; 0 if it was never set.' },
    languages: { type: 'array', items: { type: 'string' }, description: 'The languages of the pages.' },
    settings: {
      type: 'array',
      items: { type: 'string' },
      description: 'The settings of the configuration that come before it.',
    },
  },
  required: [...Object.keys(submitted.fields), 'modificationDate', 'languages', 'settings'],
};

export const brandingPreviewSchema: JsonSchema = objectSchema('Pages with a draft, for an hour.', {
  url: { type: 'string', description: 'Path of the pages at this server. The name of a state follows.' },
  expires: { ...timestampSchema, description: 'Epoch milliseconds.' },
});

export const pageTextsSchema: JsonSchema = objectSchema('What pages say in a language.', {
  texts: {
    ...map,
    description: 'The texts by their keys, without the branding; in English where the language lacks one.',
  },
  states: {
    type: 'array',
    items: { type: 'object', properties: { name: text, label: text }, required: ['name', 'label'] },
    description: 'All pages in all states.',
  },
});

export function brandingRoutes({
  brandingAdministration: administration,
  pageTexts,
}: BrandingRouteDependencies): Route[] {
  const answer = (stored: StoredBranding) => ({
    status: 200 as const,
    headers: { ETag: `"${revisionTag(stored)}"` },
    body: {
      ...recordOf(stored),
      languages: pageTexts.languages(),
      settings: pageTexts.settings(),
    },
  });
  const read = async (body: unknown): Promise<Branding> => {
    const { whole, malformed } = await readRecord(submitted, body);
    const { productName, logo: url, lightColours: light, darkColours: dark, texts } = whole;
    const logo = readLogo(url);
    const byLanguage = textsByLanguage(texts, pageTexts.texts('en'));
    const found = [
      ...malformed,
      ...nameProblems(productName),
      ...(typeof logo === 'string' ? [{ field: 'logo', problem: logo }] : []),
      ...colourProblems({ light, dark }, (scheme) => `${scheme}Colours`),
      ...byLanguage.malformed,
    ];
    rejectMalformed(found);
    return {
      productName: productName.trim(),
      logo: typeof logo === 'string' ? undefined : logo,
      colours: { light, dark },
      texts: byLanguage.texts,
    };
  };
  return [
    {
      id: 'getBranding',
      method: 'GET',
      path,
      tag,
      summary: 'Show how pages look and what they say',
      description,
      scope: 'read',
      answer: { status: 200, description: 'The branding.', schema: reference, headers: ['ETag'] },
      async handle({ caller }) {
        requireAccess(caller);
        return answer(await administration.find());
      },
    },
    {
      id: 'replaceBranding',
      method: 'PUT',
      path,
      tag,
      summary: 'Set how pages look and what they say',
      description: `${description} Every node knows it within a second. Settings and files of the configuration come first.`,
      scope: 'write',
      isConditional: true,
      body: { schema: inputSchema(submitted), isRequired: true, limit: bodyLimit },
      answer: { status: 200, description: 'The branding.', schema: reference, headers: ['ETag'] },
      errors: [400, 412],
      async handle({ caller, body, condition }) {
        requireAccess(caller);
        return answer(await administration.put(caller, await read(body()), condition));
      },
    },
    {
      id: 'previewBranding',
      method: 'POST',
      path: `${path}/preview`,
      tag,
      summary: 'See all pages in all states with a draft of the branding',
      description,
      scope: 'write',
      body: { schema: inputSchema(submitted), isRequired: true, limit: bodyLimit },
      answer: {
        status: 200,
        description: 'Where the pages are.',
        schema: { $ref: '#/components/schemas/BrandingPreview' },
      },
      errors: [400],
      async handle({ caller, body, prefix }) {
        requireAccess(caller);
        const { id, expires } = await administration.putDraft(await read(body()));
        const url = `${prefix}${previewPath}/${id}/`;
        return { status: 200, body: { url, expires } };
      },
    },
    {
      id: 'getPageTexts',
      method: 'GET',
      path: `${path}/texts`,
      tag,
      summary: 'Show what pages say in a language',
      description,
      scope: 'read',
      query: [
        {
          name: 'language',
          description: 'The language (BCP 47). Default: English.',
          schema: { type: 'string', maxLength: 35 },
        },
      ],
      answer: {
        status: 200,
        description: 'The texts.',
        schema: { $ref: '#/components/schemas/PageTexts' },
      },
      async handle({ caller, query }) {
        requireAccess(caller);
        const language = query.get('language') || 'en';
        return {
          status: 200,
          body: { texts: pageTexts.texts(language), states: pageTexts.states(language) },
        };
      },
    },
  ];
}

/** Where the server shows pages with a draft. */
export const previewPath = '/client/preview';

const bodyLimit = 1024 * 1024;

function nameProblems(name: string): readonly MalformedField[] {
  const isNone = name !== '' && isInvisible(name);
  if (name.length <= maxNameLength && !isNone) return [];
  return [{ field: 'productName', problem: `expected at most ${maxNameLength} visible characters` }];
}

function recordOf({ branding, modificationDate }: StoredBranding) {
  const { productName, logo, colours: all, texts } = branding;
  return {
    productName,
    logo: logoUrl(logo),
    lightColours: all.light,
    darkColours: all.dark,
    texts: flatTexts(texts),
    modificationDate,
  };
}

function requireAccess(caller: Caller): void {
  requireAdministrator(caller, 'see and change the branding');
}
