import { t } from '../texts/texts.ts';

/** In the place of what is on its way. */
export function Loading({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div className="loading" role="status" aria-label={t('page.loading')}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={index} className="skeleton" style={{ width: `${92 - ((index * 23) % 40)}%` }} />
      ))}
    </div>
  );
}
