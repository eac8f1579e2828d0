import {
  type Configuration,
  environmentName,
  flagName,
  type SettingPath,
  settingPaths,
  settings,
  shownValue,
} from './settings.ts';

/** Where the value of a setting came from. */
export interface SettingSource {
  readonly origin: 'flag' | 'environment' | 'file' | 'default';
  /** The flag, the variable or the path of the file; absent for a default. */
  readonly place?: string | undefined;
}

export type SettingSources = Readonly<Partial<Record<SettingPath, SettingSource>>>;

const noSource: SettingSource = { origin: 'default' };

/** All settings as an administrator can see them: no secret is part of it. @param sources of values that are no defaults */
export function effectiveSettings(configuration: Configuration, sources: SettingSources) {
  return settingPaths.map((name) => {
    const shown = shownValue(name, configuration);
    const { origin, place } = sources[name] ?? noSource;
    return {
      name,
      value: shown === '***' ? undefined : shown,
      isHidden: JSON.stringify(shown) !== JSON.stringify(configuration[name]),
      origin,
      place,
      flag: flagName(name),
      environmentVariable: environmentName(name),
      default: settings[name].default,
      description: settings[name].help,
    };
  });
}
