import type { Authenticator, AuthenticatorSettings } from '@watchword/admin-client';
import { problemsOf } from '../../rules/problems.ts';
import { isShown, type KindSetting, kinds, type SettingName, settingsOf } from './kinds.ts';

/** What an administrator types. */
export interface TypedAuthenticator {
  readonly kind: string;
  readonly name: string;
  readonly label: string;
  /** How the other side is described. */
  readonly source: 'url' | 'text';
  readonly settings: Readonly<Partial<Record<SettingName, string>>>;
}

export const newAuthenticator: TypedAuthenticator = {
  kind: 'saml',
  name: '',
  label: '',
  source: 'url',
  settings: {},
};

export function typedAuthenticator({ kind, name, label, settings }: Authenticator): TypedAuthenticator {
  const typed = Object.entries(settings ?? {}).map(([setting, value]) => [
    setting,
    Array.isArray(value) ? value.join('\n') : String(value),
  ]);
  const texts: TypedAuthenticator['settings'] = Object.fromEntries(typed);
  const { text = 'metadata' } = kinds[kind ?? '']?.metadata ?? {};
  return { kind: kind ?? '', name, label, source: texts[text] ? 'text' : 'url', settings: texts };
}

/** The settings as the server takes them: of the two descriptions of the other side only the chosen one. */
export function submittedSettings({ kind, source, settings }: TypedAuthenticator): AuthenticatorSettings {
  const { metadata } = kinds[kind] ?? {};
  const textOf = (name: SettingName) => settings[name] ?? '';
  const typed = (setting: KindSetting) => (isShown(setting, settings) ? textOf(setting.name) : '');
  const submitted = (setting: KindSetting) =>
    setting.type === 'lines'
      ? typed(setting)
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '')
      : typed(setting).trim();
  return {
    ...(metadata !== undefined && {
      [metadata.url]: source === 'url' ? textOf(metadata.url).trim() : '',
      [metadata.text]: source === 'text' ? textOf(metadata.text) : '',
    }),
    ...Object.fromEntries(settingsOf(kind).map((setting) => [setting.name, submitted(setting)])),
  };
}

/** A name for addresses, made of the label. */
export function nameFrom(label: string): string {
  const text = label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return text.replace(/^-/, '').slice(0, 40);
}

/** A field of the form, or a setting. */
export type FormField = 'name' | 'label' | SettingName;

/** The violations of the server, by the fields of the form. */
export function problemsOfForm(violations: readonly string[], { kind }: TypedAuthenticator) {
  const { url = [], text = [] } = kinds[kind]?.metadata ?? {};
  const others = settingsOf(kind).map(({ name }) => name);
  const fields: readonly FormField[] = ['name', 'label', ...[url, text].flat(), ...others];
  return problemsOf(
    violations.map((violation) => violation.replace('settings.', '')),
    fields,
  );
}
