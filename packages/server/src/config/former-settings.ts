import { settings } from './settings.ts';

/** A setting that was deprecated, or, if `settings` does not have it, renamed or removed. */
export interface FormerSetting {
  /** The release that did it. docs/upgrading.md has a note under that release. */
  readonly since: string;
  /** What to do: `name it http.bodyLimit`. */
  readonly advice: string;
}

export type FormerSettings = Readonly<Record<string, FormerSetting>>;

/** Settings of earlier releases, by their path. */
export const formerSettings: FormerSettings = {
  databaseReplica: {
    since: '0.2.0',
    advice:
      'remove it: the primary answers every look-up, so that a revoked token is refused everywhere at once',
  },
};

/** Why a name is not a setting any more, for the setting that `isMeant` finds; `undefined` if there is none. */
export function removal(
  isMeant: (path: string) => boolean,
  former: FormerSettings = formerSettings,
): string | undefined {
  const path = Object.keys(former).find((name) => !Object.hasOwn(settings, name) && isMeant(name));
  const found = path === undefined ? undefined : former[path];
  return found && `is no setting since release ${found.since}; ${found.advice}`;
}

/** A warning for each deprecated setting that a source has. */
export function deprecations(
  given: Readonly<Record<string, { readonly place?: string }>>,
  former: FormerSettings = formerSettings,
): string[] {
  return Object.entries(former).flatMap(([path, { since, advice }]) => {
    const place = given[path]?.place;
    return place === undefined
      ? []
      : [`${path} (${place}) is deprecated since release ${since}, and a later one removes it; ${advice}`];
  });
}
