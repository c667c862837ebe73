/** The login page, with the way back to this one. In the browser only. */
export function loginHref(): string {
  const back = window.location.pathname + window.location.search;
  return `/login/?${new URLSearchParams({ back })}`;
}
