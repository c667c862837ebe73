/** Only an address of this console; anything else leads to the overview. */
export function safeBack(back: string): string {
  return /^\/(?![/\\])/u.test(back) ? back : '/';
}
