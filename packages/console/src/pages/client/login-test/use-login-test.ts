import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useEnvironment } from '../../../environment.ts';
import { exchange, type TestClient, type TestRun } from './exchange.ts';
import {
  newRandoms,
  type OpenedTest,
  openTest,
  type Randoms,
  type TestOptions,
  type TestRequest,
  testRequest,
} from './request.ts';

export interface LoginTesting {
  /** Whether `start` can be called. */
  readonly isReady: boolean;
  readonly isBlocked: boolean;
  readonly isWaiting: boolean;
  readonly error: unknown;
  /** Opens the window of the login. Must be called while a click is handled. */
  start(options: Omit<TestOptions, 'baseUrl' | 'clientId'>, client: Omit<TestClient, 'baseUrl'>): void;
}

/** @param onRun called with each finished test, and with `undefined` when another one begins */
export function useLoginTest(onRun: (run: TestRun | undefined) => void): LoginTesting {
  const { baseUrl, issuer } = useEnvironment();
  const [isBlocked, setBlocked] = useState(false);
  const [randoms, setRandoms] = useState<Randoms | undefined>();
  const opened = useRef<OpenedTest | undefined>(undefined);
  useEffect(() => {
    void newRandoms().then(setRandoms);
    return () => opened.current?.abandon();
  }, []);
  const testing = useMutation({
    mutationFn: async ({ request, open, client }: Started): Promise<TestRun> => {
      const answer = await open.answer;
      const code = answer.get('code');
      // RFC 9207: a code of another server is not redeemed.
      if (code === null || answer.get('iss') !== issuer) return { request, answer };
      return { request, answer, result: await exchange({ ...client, baseUrl }, code, request) };
    },
    onSuccess: onRun,
  });
  return {
    isReady: randoms !== undefined,
    isBlocked,
    isWaiting: testing.isPending,
    error: testing.error,
    start(options, client) {
      if (randoms === undefined) return;
      opened.current?.abandon();
      onRun(undefined);
      const request = testRequest({ ...options, baseUrl, clientId: client.clientId }, randoms);
      const open = openTest(request);
      opened.current = open;
      setBlocked(open === undefined);
      setRandoms(undefined);
      void newRandoms().then(setRandoms);
      if (open !== undefined) testing.mutate({ request, open, client });
    },
  };
}

interface Started {
  readonly request: TestRequest;
  readonly open: OpenedTest;
  readonly client: Omit<TestClient, 'baseUrl'>;
}
