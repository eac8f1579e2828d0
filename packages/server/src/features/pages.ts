import type { Core } from '../core/core.ts';
import { assetRoutes } from '../http/assets.ts';
import { startRoutes } from '../http/start.ts';
import type { Feature } from './feature.ts';

/** The start page, and the files that all pages share. */
export function pages({
  baseUrl: issuer,
  pageAnswers,
  pages,
  prefix,
}: Pick<Core, 'baseUrl' | 'pageAnswers' | 'pages' | 'prefix'>): Feature {
  return {
    endpoints: [...startRoutes({ pages: pageAnswers, prefix, issuer }), ...assetRoutes(pages.assets)],
    records: 'unused',
    metadata: { ui_locales_supported: pages.languages() },
  };
}
