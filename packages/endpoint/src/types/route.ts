type Letter =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z'
  | '_';
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

/** Whether all of a text is letters, digits and underscores. */
type IsWord<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? Lowercase<First> extends Letter | Digit
    ? IsWord<Rest>
    : false
  : true;

type Before<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${string}`
  ? Head
  : Text;

/** The URL of a route, without its method. */
type UrlOf<Route extends string> = Route extends `${string} ${infer Url}` ? Url : Route;

/** The path of a URL, from its first slash on. A `{?name}` or `{#name}` ends it as `?` and `#` do. */
type PathOf<Url extends string> = Url extends `${string}://${infer Rest}`
  ? Rest extends `${string}/${infer Path}`
    ? Before<Before<`/${Path}`, '?'>, '#'>
    : ''
  : Before<Before<Url, '?'>, '#'>;

/** `name:3` and `name*` -> `name` */
type NameOf<Specification extends string> = Before<Before<Specification, ':'>, '*'>;

type NamesOf<List extends string> = List extends `${infer Head},${infer Rest}`
  ? NameOf<Head> | NamesOf<Rest>
  : NameOf<List>;

/** Only `{name}` and `{+name}` leave a hole where a value is missing; `{/name}` and the like vanish. */
type NamesOfExpression<Text extends string> = Text extends `+${infer List}`
  ? NamesOf<List>
  : Text extends `${'.' | '/' | ';' | '&'}${string}`
    ? never
    : NamesOf<Text>;

type BraceNames<Path extends string> = Path extends `${string}{${infer Text}}${infer Rest}`
  ? NamesOfExpression<Text> | BraceNames<Rest>
  : never;

type ColonName<Text extends string> = Text extends `${Digit}${string}` | ''
  ? never
  : IsWord<Text> extends true
    ? Text
    : never;

/** `:name` is a parameter only as a whole segment, with or without a file extension. */
type ColonNames<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? ColonNameOf<Segment> | ColonNames<Rest>
  : ColonNameOf<Path>;

type ColonNameOf<Segment extends string> = Segment extends `:${infer Text}`
  ? ColonName<Before<Before<Text, '.'>, '{'>>
  : never;

/**
 * The variables that the path of a literal route cannot do without:
 * `PathVariables<'GET /repos/{owner}/:repo{?page}'>` is `'owner' | 'repo'`. For a plain `string`, never.
 */
export type PathVariables<Route extends string> = string extends Route
  ? never
  : BraceNames<PathOf<UrlOf<Route>>> | ColonNames<PathOf<UrlOf<Route>>>;
