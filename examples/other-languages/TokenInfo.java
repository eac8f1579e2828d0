@Component
class TokenInfo implements OpaqueTokenIntrospector {
  private final RestClient watchword =
      RestClient.builder()
          .baseUrl("http://localhost:8080")
          .defaultHeaders(headers -> headers.setBasicAuth("demo-resource-server", "demo-resource-server-secret"))
          .build();

  @Override
  public OAuth2AuthenticatedPrincipal introspect(String token) {
    var form = new LinkedMultiValueMap<String, String>();
    form.add("access_token", token);
    try {
      var info =
          watchword
              .post()
              .uri("/v1/tokeninfo")
              .contentType(MediaType.APPLICATION_FORM_URLENCODED)
              .body(form)
              .retrieve()
              .body(Info.class);
      // It is bound to a key, which is not checked here.
      if (info.cnf() != null) throw new BadOpaqueTokenException("The token is not valid.");
      var authorities =
          info.scopes().stream().<GrantedAuthority>map(scope -> new SimpleGrantedAuthority("SCOPE_" + scope)).toList();
      return new DefaultOAuth2AuthenticatedPrincipal(
          info.principal().name(), Map.of("groups", info.principal().groups()), authorities);
    } catch (HttpClientErrorException.NotFound | HttpClientErrorException.Gone error) {
      throw new BadOpaqueTokenException("The token is not valid.");
    } catch (RestClientException error) {
      throw new OAuth2IntrospectionException("Token info did not answer.", error);
    }
  }

  record Info(Principal principal, List<String> scopes, Map<String, String> cnf) {}

  record Principal(String name, List<String> groups) {}
}
