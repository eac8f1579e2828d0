import type { Mail, MailedFactor } from '@watchword/protocol';
import type { TemplateRenderer } from './templates.ts';
import { presentable } from './texts/presentable.ts';
import { type Texts, type Values, withLanguages, withoutMarks } from './texts/texts.ts';
import type { Theme } from './theme.ts';

/** A mail as people read it. Mail programs show one of its two texts. */
export interface RenderedMail {
  /** BCP 47. */
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailLook {
  readonly renderTemplate: TemplateRenderer;
  readonly texts: Texts;
  readonly productName: string;
  /** Later ones come before earlier ones. */
  readonly themes: readonly Theme[];
}

const builtIn = { accent: '#17615c', 'on-accent': '#ffffff' };

/** @param baseUrl the configured one: no request chooses where a link leads */
export function renderMail(mail: Mail, baseUrl: string, look: MailLook): RenderedMail {
  const { renderTemplate, texts, productName, themes } = look;
  const values = { product: productName, ...valuesOf(mail, texts) };
  const plain = (key: string) => plainText(texts, key, values);
  const html = (key: string) => texts.html(key, values);
  const link = linkOf(mail);
  const lines = [`mail.${mail.kind}.text`];
  const notes = notesOf(mail);
  const view = {
    page: 'mail',
    kind: mail.kind,
    productName,
    language: texts.language,
    direction: texts.direction,
    title: plain(`mail.${mail.kind}.subject`),
    titleHtml: html(`mail.${mail.kind}.subject`),
    lines: lines.map(plain),
    linesHtml: lines.map(html),
    link: {
      url: `${baseUrl}${checkedPath(link.path)}`,
      label: plain(link.key),
      labelHtml: html(link.key),
    },
    code: 'code' in mail.values ? (mail.values.code ?? '') : '',
    notes: notes.map(plain),
    notesHtml: notes.map(html),
    accent: colourOf(themes, 'accent'),
    onAccent: colourOf(themes, 'on-accent'),
    t: texts.plain,
    html: texts.html,
    text: (key: string, others?: Values) => plainText(texts, key, others),
  };
  return {
    language: texts.language,
    subject: view.title,
    text: withoutMarks(renderTemplate('mail-text', view))
      .trim()
      .replaceAll(/\n{3,}/g, '\n\n'),
    html: withLanguages(renderTemplate('mail', view)),
  };
}

/** Isolates keep names in their place in a text from right to left. In other mails some programs show them as boxes. */
function plainText({ plain, direction }: Texts, key: string, values?: Values): string {
  const text = withoutMarks(plain(key, values));
  return direction === 'rtl' ? text : text.replaceAll(/[\u2068\u2069]/g, '');
}

function valuesOf({ kind, values }: Mail, texts: Texts): Values {
  const names = 'name' in values ? { name: presentable(values.name, 255) } : {};
  const times = {
    ...('time' in values && { time: texts.time(values.time) }),
    ...('expires' in values && { until: texts.time(values.expires) }),
  };
  if ('factor' in values) return { ...names, ...times, factor: factorName(values.factor, texts) };
  if ('left' in values) return { ...names, ...times, left: String(values.left) };
  if (kind === 'address_changed') return { ...names, ...times, address: presentable(values.address, 254) };
  if (kind !== 'new_device') return { ...names, ...times };
  const device = presentable(values.device, 100) || withoutMarks(texts.plain('account.unknownDevice'));
  return { ...names, ...times, device };
}

function factorName({ kind, label }: MailedFactor, texts: Texts): string {
  const what = withoutMarks(texts.plain(`factor.${kind}`));
  return label === '' ? what : `${what} (${presentable(label, 100)})`;
}

function notesOf({ values }: Mail): readonly string[] {
  if (!('path' in values)) return ['mail.notYou'];
  return 'expires' in values ? ['mail.until', 'mail.ignore'] : ['mail.ignore'];
}

/** Where the link of a mail leads, and the key of its text. */
function linkOf({ kind, values }: Mail): { readonly path: string; readonly key: string } {
  if ('path' in values) return { path: values.path, key: `mail.${kind}.link` };
  return { path: '/account', key: 'account.title' };
}

/** @throws TypeError for a text that could lead to another host */
function checkedPath(path: string): string {
  if (!/^\/(?!\/)[!-~]*$/.test(path)) throw new TypeError('expected a path below the base URL for a mail');
  return path;
}

/** A colour that mail programs understand: they know no variables. */
function colourOf(themes: readonly Theme[], name: keyof typeof builtIn): string {
  const set = themes
    .filter(({ media }) => !media.includes('dark'))
    .map(({ variables }) => variables.get(`--${name}`))
    .findLast((value) => value !== undefined && /^#[0-9a-f]{3,8}$/i.test(value));
  return set ?? builtIn[name];
}
