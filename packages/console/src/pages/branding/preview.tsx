import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../components/problem.tsx';
import { usePause } from '../../components/search/use-pause.ts';
import { Select } from '../../controls/inputs.tsx';
import { useEnvironment } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import type { TypedBranding } from './branding-form.tsx';
import { LanguageSelect, useShownLanguage } from './page-texts.tsx';

interface PreviewProps {
  readonly typed: TypedBranding;
  readonly languages: readonly string[];
}

/** Every page in every state, as the server shows it with what is typed. */
export function Preview({ typed, languages }: PreviewProps) {
  const { admin } = useEnvironment();
  const [language, choose] = useShownLanguage(languages);
  const [state, show] = useState('login');
  const json = JSON.stringify(typed);
  const [draft, settle] = useState(json);
  usePause(json, settle);
  const { data: texts } = useQuery({
    queryKey: ['pageTexts', language],
    queryFn: ({ signal }) => admin.branding.getPageTexts({ language }, { signal }),
  });
  const { data: preview, error } = useQuery({
    queryKey: ['brandingPreview', draft],
    queryFn: ({ signal }) => admin.branding.preview(JSON.parse(draft), { signal }),
    // As long as something is wrong with what is typed, the last right one stays.
    placeholderData: (before) => before,
    retry: false,
    staleTime: 600_000,
  });
  return (
    <section className="preview" aria-label={t('branding.preview')}>
      <div className="preview-head">
        <Select
          size="xs"
          label={t('branding.page')}
          value={state}
          onChange={({ currentTarget }) => show(currentTarget.value)}
          data={(texts?.states ?? []).map(({ name, label }) => ({ value: name, label, lang: language }))}
        />
        <LanguageSelect size="xs" value={language} languages={languages} onChoose={choose} />
      </div>
      {error !== null && <Problem error={error} />}
      {preview !== undefined && (
        <iframe
          title={t('branding.preview')}
          // No script, no form: the pages of this server load only their own pictures and styles.
          sandbox="allow-same-origin"
          src={`${preview.url}${state}?language=${encodeURIComponent(language)}`}
        />
      )}
    </section>
  );
}
