import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { searchOf } from '../../components/tables/rows.ts';
import { Waiting } from '../../components/waiting.tsx';
import { Select, Textarea, TextInput } from '../../controls/inputs.tsx';
import { useEnvironment } from '../../environment.ts';
import { FormSection } from '../../forms/form-section.tsx';
import { language as ownLanguage, t } from '../../texts/texts.ts';
import { type BrandingForm, problemOf } from './branding-form.tsx';

// More are found by a search.
const mostShown = 12;

interface TextsProps {
  readonly form: BrandingForm;
  readonly languages: readonly string[];
}

/** The texts of pages, language by language: those that are changed, and those that a search finds. */
export function Texts({ form, languages }: TextsProps) {
  const { admin } = useEnvironment();
  const [language, choose] = useShownLanguage(languages);
  const [search, find] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['pageTexts', language],
    queryFn: ({ signal }) => admin.branding.getPageTexts({ language }, { signal }),
  });
  const values = form.values.texts;
  const set = (name: string, value: string) => {
    const { [name]: _, ...others } = values;
    form.set('texts', value === '' ? others : { ...others, [name]: value });
  };
  const fits =
    search.trim() === ''
      ? ([key]: readonly [string, string]) => values[`${language}/${key}`] !== undefined
      : searchOf<readonly [string, string]>(search, (keyAndText) => keyAndText);
  const matching = Object.entries(data?.texts ?? {}).filter(fits);
  return (
    <FormSection title={t('branding.texts')} lead={t('branding.textsLead')}>
      <LanguageSelect value={language} languages={languages} onChoose={choose} />
      <TextInput
        type="search"
        label={t('branding.findText')}
        value={search}
        error={problemOf(form, 'texts')}
        onChange={({ currentTarget }) => find(currentTarget.value)}
      />
      {data === undefined && <Waiting error={error} refetch={refetch} rows={3} />}
      {matching.slice(0, mostShown).map(([key, text]) => (
        <Textarea
          key={`${language}/${key}`}
          label={<code>{key}</code>}
          description={<span lang={language}>{text}</span>}
          rows={2}
          maxLength={1000}
          lang={language}
          value={values[`${language}/${key}`] ?? ''}
          onChange={({ currentTarget }) => set(`${language}/${key}`, currentTarget.value)}
        />
      ))}
      {matching.length > mostShown && (
        <p className="quiet">{t('branding.moreTexts', { count: matching.length - mostShown })}</p>
      )}
    </FormSection>
  );
}

/** At first that of the GUI, if pages have it. */
export function useShownLanguage(languages: readonly string[]) {
  return useState(() => languages.find((each) => each === ownLanguage()) ?? languages[0] ?? 'en');
}

interface LanguageSelectProps {
  readonly size?: 'xs';
  readonly value: string;
  readonly languages: readonly string[];
  readonly onChoose: (language: string) => void;
}

export function LanguageSelect({ size, value, languages, onChoose }: LanguageSelectProps) {
  return (
    <Select
      {...(size && { size })}
      label={t('branding.language')}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      data={languages.map((tag) => ({ value: tag, label: languageName(tag), lang: tag }))}
    />
  );
}

function languageName(tag: string): string {
  return `${new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag} (${tag})`;
}
