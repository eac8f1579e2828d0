import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import type { Page, PageQuery } from '@watchword/admin-client';

const pageSize = 100;

/** A list that is too long to be read whole: so much of it as was asked for. */
export function usePages<Item>(
  queryKey: QueryKey,
  read: (page: PageQuery, options: { readonly signal: AbortSignal }) => Promise<Page<Item>>,
) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ limit: pageSize, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
    placeholderData: (before) => before,
  });
  return {
    items: data?.pages.flatMap(({ items }) => items),
    error,
    refetch,
    hasMore: hasNextPage,
    readMore: () => void fetchNextPage(),
    isReadingMore: isFetchingNextPage,
  };
}
