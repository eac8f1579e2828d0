import { Skeleton } from '@mantine/core';
import { t } from '../texts/texts.ts';

/** In the place of what is on its way. */
export function Loading({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div className="loading" role="status" aria-label={t('page.loading')}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={index} height={16} width={`${92 - ((index * 23) % 40)}%`} />
      ))}
    </div>
  );
}
