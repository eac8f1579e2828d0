/** A value of a text. Numbers are written as the language writes them. */
export type Value = string | number;

export type Values = Readonly<Record<string, Value>>;

/**
 * A placeholder of a text, as in the texts of the pages for users: `{name}`, or `{seconds:duration}`. These texts also have
 * `{count:plural|one=# client|other=# clients}`, with a form for each plural category of the language, and `#` for the number.
 */
export const placeholder = /\{(\w+)(?::(\w+)(?:\|([^{}]*))?)?\}/;

const everyPlaceholder = new RegExp(placeholder, 'g');

/** The text with its values. A placeholder without a value stays. */
export function fill(text: string, values: Values, language: string): string {
  return text.replaceAll(everyPlaceholder, (whole, name: string, format?: string, forms?: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? whole : formatted(value, { language, format, forms });
  });
}

interface Format {
  readonly language: string;
  readonly format: string | undefined;
  readonly forms: string | undefined;
}

function formatted(value: Value, { language, format, forms = '' }: Format): string {
  if (typeof value === 'string') return value;
  if (format === 'duration') return duration(value, language);
  const shown = new Intl.NumberFormat(language).format(value);
  return format === 'plural' ? pluralForm(forms, value, language).replaceAll('#', shown) : shown;
}

/** The form of the category of the number, or else the form `other`. */
function pluralForm(forms: string, value: number, language: string): string {
  const category = new Intl.PluralRules(language).select(value);
  const byCategory = Object.fromEntries(forms.split('|').map((form) => form.split('=', 2)));
  return byCategory[category] ?? byCategory.other ?? '#';
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Seconds in the two largest units that fit: `5400` is "1 hour 30 minutes". */
export function duration(seconds: number, language: string, unitDisplay: 'long' | 'short' = 'long'): string {
  let left = seconds;
  const parts: string[] = [];
  for (const [unit, length] of units) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0 || (unit === 'second' && parts.length === 0)) {
      parts.push(new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(count));
    }
  }
  return parts.slice(0, 2).join(' ');
}
