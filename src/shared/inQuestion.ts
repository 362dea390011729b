/** A title as it stands within quotes at the end of a question: a second question mark there would look like a mistake. */
export const inQuestion = (title: string): string => title.replace(/(?<![?？])[?？]+$/u, '') || title;
