import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { Icon } from '../controls/icon.tsx';

interface Notice {
  readonly id: number;
  readonly text: string;
}

const shownFor = 6000;

const NoticeContext = createContext<(text: string) => void>(() => {});

/** Shows for a short time that an action is done. Screen readers announce it. */
export function useNotice(): (text: string) => void {
  return useContext(NoticeContext);
}

export function NoticeProvider({ children }: { readonly children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const count = useRef(0);
  const notify = useCallback((text: string) => {
    count.current += 1;
    const notice = { id: count.current, text };
    setNotices((shown) => [...shown, notice]);
    setTimeout(() => setNotices((shown) => shown.filter(({ id }) => id !== notice.id)), shownFor);
  }, []);
  return (
    <NoticeContext value={notify}>
      {children}
      <div className="notices" role="status">
        {notices.map(({ id, text }) => (
          <p key={id} className="notice">
            <Icon name="check" />
            {text}
          </p>
        ))}
      </div>
    </NoticeContext>
  );
}
