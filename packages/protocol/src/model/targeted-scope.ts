import { formatScope, type Scopes } from './scope.ts';

/**
 * How the scopes of several resource servers stand in one array, in records and tokens. A scope of OpenID Connect, and one of the home of the
 * client (its own resource server), is its name; one of another resource server has the record id of that before it: `5\read`. No scope
 * has a backslash (RFC 6749 §3.3), so a release that does not know this takes none for a scope of the home.
 *
 * An array with marks is for exactly the resource servers that it marks: `5\` for that with the record id 5, or `5\\https://api.example`
 * where the client named its URI (RFC 8707), and without an id for the home. Any other array is for the home alone.
 *
 * In a grant, `-5\\` says that the access at that resource server has ended, also that of tokens that are issued already. To all who do not know
 * this it is one that no record has.
 */
export interface Target {
  /** Record id of the resource server; `undefined`: the home. */
  readonly id: number | undefined;
  /** Its URIs that the client named, as they are registered. */
  readonly resources: readonly string[];
}

/** What stands in an array: a scope, or a mark. */
interface Member {
  /** As of a {@link Target}; also `undefined` for a scope of OpenID Connect. */
  readonly id: number | undefined;
  /** The name of the scope; absent from a mark. */
  readonly scope?: string;
  /** The URI of a mark, if the client named one. */
  readonly resource?: string;
}

const separator = '\\';

/** Marks no resource server, where an array has lost all of its own: no record has this id. */
const forNone = `0${separator}`;

export function memberOf(text: string): Member {
  const at = text.indexOf(separator);
  if (at === -1) return { id: undefined, scope: text };
  const id = at === 0 ? undefined : Number(text.slice(0, at));
  const rest = text.slice(at + 1);
  if (rest === '') return { id };
  return rest.startsWith(separator) ? { id, resource: rest.slice(1) } : { id, scope: rest };
}

export function isMark(text: string): boolean {
  return memberOf(text).scope === undefined;
}

/** Whether the array has marks. */
export function isTargeted(scopes: Scopes): boolean {
  for (const member of scopes) if (member.includes(separator)) return true;
  return false;
}

/** The resource servers that the array marks; `undefined` if it has no marks. */
export function targetsOf(scopes: Scopes): readonly Target[] | undefined {
  if (!isTargeted(scopes)) return undefined;
  const marks = scopes
    .filter(isMark)
    .map(memberOf)
    .filter(({ id = 1 }) => id > 0);
  return [...Map.groupBy(marks, ({ id }) => id)].map(([id, of]) => ({
    id,
    resources: of.flatMap(({ resource }) => resource ?? []),
  }));
}

/** Whether the array is for a resource server. @param id `undefined`: the home */
export function isFor(scopes: Scopes, id: number | undefined): boolean {
  const targets = targetsOf(scopes);
  return targets === undefined ? id === undefined : targets.some((target) => target.id === id);
}

/** The marks of a resource server. */
export function marksOf({ id, resources }: Target): Scopes {
  const mark = `${id ?? ''}${separator}`;
  return resources.length === 0 ? [mark] : resources.map((resource) => `${mark}${separator}${resource}`);
}

/** A scope as it stands in an array. @param id `undefined`: the home, or OpenID Connect */
export function scopeAt(id: number | undefined, scope: string): string {
  return id === undefined ? scope : `${id}${separator}${scope}`;
}

/** The same array without the URIs that the client named. */
export function withoutResources(scopes: Scopes): Scopes {
  if (!isTargeted(scopes)) return scopes;
  const plain = (member: string) =>
    isMark(member) ? marksOf({ ...memberOf(member), resources: [] }) : member;
  return [...new Set(scopes.flatMap(plain))];
}

/** The names of the scopes of one resource server. @param id `undefined`: of the home, and of OpenID Connect */
export function namesAt(scopes: Scopes, id: number | undefined): Scopes {
  return scopes.map(memberOf).flatMap((member) => (member.id === id ? (member.scope ?? []) : []));
}

/** The names of all scopes, each once: what answers have. */
export function namesOf(scopes: Scopes): Scopes {
  if (!isTargeted(scopes)) return scopes;
  return [...new Set(scopes.flatMap((member) => memberOf(member).scope ?? []))];
}

/** The member `scope` of an answer. */
export function answeredScope(scopes: Scopes): string {
  const text = formatScope(scopes);
  // One search, for every token that is issued.
  return text.includes(separator) ? formatScope(namesOf(scopes)) : text;
}

/** The marks, and the scopes with these names in the order of the names. */
export function withNames(scopes: Scopes, names: Scopes): Scopes {
  if (!isTargeted(scopes)) return names;
  // Requests can have as many names as arrays have members, which are up to two thousand.
  const members = Map.groupBy(scopes, (member) => memberOf(member).scope);
  return [undefined, ...names].flatMap((name) => members.get(name) ?? []);
}

/** The same without some resource servers, or the same array if it is for none of them. @param ids of their records */
export function withoutTargets(scopes: Scopes, ids: readonly number[]): Scopes {
  const isOne = ({ id }: Member) => id !== undefined && ids.includes(id);
  return scopes.some((member) => isOne(memberOf(member))) ? kept(scopes, (member) => !isOne(member)) : scopes;
}

/** The scopes of a grant that has ended at some resource servers, or the same array if it is for none of them. */
export function endedAt(scopes: Scopes, ids: readonly number[]): Scopes {
  const left = withoutTargets(scopes, ids);
  if (left === scopes) return scopes;
  const ended = targetsOf(scopes)?.flatMap(({ id }) => (id !== undefined && ids.includes(id) ? [id] : []));
  return [...left, ...(ended ?? []).map((id) => `-${id}${separator}`)];
}

/** The resource servers at which a grant has ended. */
export function endsOf(granted: Scopes): readonly number[] {
  return granted.flatMap((member) =>
    member.startsWith('-') && isMark(member) ? -Number(memberOf(member).id) : [],
  );
}

/** What is left of the scopes of a token under its grant. */
export function leftUnder(scopes: Scopes, grant: { readonly scopes: Scopes } | undefined): Scopes {
  return grant !== undefined && isTargeted(scopes) ? withoutTargets(scopes, endsOf(grant.scopes)) : scopes;
}

/** Filters an array with marks. If it keeps none, it is for no resource server: not for the home alone. */
export function kept(scopes: Scopes, isKept: (member: Member) => boolean): Scopes {
  const left = scopes.filter((member) => member !== forNone && isKept(memberOf(member)));
  return left.some(isMark) ? left : [forNone, ...left];
}
