import { t } from '../../texts/texts.ts';
/** Whether the server is configured with an identity provider; `null` while this is unknown. */
export function stateText(configured: boolean | null): string {
  if (configured === null) return t('providers.isUnknown');
  return t(configured ? 'providers.isConfigured' : 'providers.isAbsent');
}
