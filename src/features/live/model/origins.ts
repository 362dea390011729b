/** Origins that sandboxes' keys may go to although nothing vouches for them. Asks about each once. */
export class AcceptedOrigins {
  private readonly answers = new Map<string, Promise<boolean>>();

  constructor(private readonly ask: (origin: string) => Promise<boolean>) {}

  /** The answer holds for all conversations. */
  readonly accepts = (origin: string): Promise<boolean> => {
    const answer = this.answers.get(origin) ?? this.ask(origin);
    this.answers.set(origin, answer);
    return answer;
  };

  /** Refused origins are asked about again. */
  async forgetRefusals(): Promise<void> {
    for (const [origin, answer] of [...this.answers]) if (!(await answer)) this.answers.delete(origin);
  }
}
