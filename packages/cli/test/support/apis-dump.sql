/*M!999999\- enable the sandbox mode */ 
-- MariaDB dump 10.19  Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: apis
-- ------------------------------------------------------
-- Server version	10.11.19-MariaDB-0+deb12u1

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;

--
-- Table structure for table `AbstractEntity`
--

DROP TABLE IF EXISTS `AbstractEntity`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `AbstractEntity` (
  `id` bigint(20) NOT NULL,
  `creationDate` datetime DEFAULT NULL,
  `modificationDate` datetime DEFAULT NULL,
  `DTYPE` varchar(255) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `I_BSTRTTY_DTYPE` (`DTYPE`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `AbstractEntity`
--

LOCK TABLES `AbstractEntity` WRITE;
/*!40000 ALTER TABLE `AbstractEntity` DISABLE KEYS */;
/*!40000 ALTER TABLE `AbstractEntity` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `AccessToken_scopes`
--

DROP TABLE IF EXISTS `AccessToken_scopes`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `AccessToken_scopes` (
  `ACCESSTOKEN_ID` bigint(20) DEFAULT NULL,
  `element` varchar(255) DEFAULT NULL,
  KEY `I_CCSSCPS_ACCESSTOKEN_ID` (`ACCESSTOKEN_ID`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `AccessToken_scopes`
--

LOCK TABLES `AccessToken_scopes` WRITE;
/*!40000 ALTER TABLE `AccessToken_scopes` DISABLE KEYS */;
INSERT INTO `AccessToken_scopes` VALUES
(21,'read'),
(21,'write'),
(22,'read'),
(23,'read'),
(24,'read'),
(25,'read'),
(26,'read');
/*!40000 ALTER TABLE `AccessToken_scopes` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `AuthorizationRequest_grantedScopes`
--

DROP TABLE IF EXISTS `AuthorizationRequest_grantedScopes`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `AuthorizationRequest_grantedScopes` (
  `AUTHORIZATIONREQUEST_ID` bigint(20) DEFAULT NULL,
  `element` varchar(255) DEFAULT NULL,
  KEY `I_THRZCPS_AUTHORIZATIONREQUEST_ID` (`AUTHORIZATIONREQUEST_ID`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `AuthorizationRequest_grantedScopes`
--

LOCK TABLES `AuthorizationRequest_grantedScopes` WRITE;
/*!40000 ALTER TABLE `AuthorizationRequest_grantedScopes` DISABLE KEYS */;
/*!40000 ALTER TABLE `AuthorizationRequest_grantedScopes` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `AuthorizationRequest_requestedScopes`
--

DROP TABLE IF EXISTS `AuthorizationRequest_requestedScopes`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `AuthorizationRequest_requestedScopes` (
  `AUTHORIZATIONREQUEST_ID` bigint(20) DEFAULT NULL,
  `element` varchar(255) DEFAULT NULL,
  KEY `I_THRZCPS_AUTHORIZATIONREQUEST_ID1` (`AUTHORIZATIONREQUEST_ID`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `AuthorizationRequest_requestedScopes`
--

LOCK TABLES `AuthorizationRequest_requestedScopes` WRITE;
/*!40000 ALTER TABLE `AuthorizationRequest_requestedScopes` DISABLE KEYS */;
/*!40000 ALTER TABLE `AuthorizationRequest_requestedScopes` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `Client_redirectUris`
--

DROP TABLE IF EXISTS `Client_redirectUris`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `Client_redirectUris` (
  `CLIENT_ID` bigint(20) DEFAULT NULL,
  `element` varchar(255) DEFAULT NULL,
  KEY `I_CLNTTRS_CLIENT_ID` (`CLIENT_ID`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `Client_redirectUris`
--

LOCK TABLES `Client_redirectUris` WRITE;
/*!40000 ALTER TABLE `Client_redirectUris` DISABLE KEYS */;
INSERT INTO `Client_redirectUris` VALUES
(11,'https://courses.example.com/callback'),
(12,'https://courses.example.com/page'),
(12,'http://courses.example.com/old');
/*!40000 ALTER TABLE `Client_redirectUris` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `Client_scopes`
--

DROP TABLE IF EXISTS `Client_scopes`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `Client_scopes` (
  `CLIENT_ID` bigint(20) DEFAULT NULL,
  `element` varchar(255) DEFAULT NULL,
  KEY `I_CLNTCPS_CLIENT_ID` (`CLIENT_ID`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `Client_scopes`
--

LOCK TABLES `Client_scopes` WRITE;
/*!40000 ALTER TABLE `Client_scopes` DISABLE KEYS */;
INSERT INTO `Client_scopes` VALUES
(99998,'read'),
(99998,'write'),
(11,'read'),
(11,'write'),
(12,'read'),
(13,'lend');
/*!40000 ALTER TABLE `Client_scopes` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `OPENJPA_SEQUENCE_TABLE`
--

DROP TABLE IF EXISTS `OPENJPA_SEQUENCE_TABLE`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `OPENJPA_SEQUENCE_TABLE` (
  `ID` tinyint(4) NOT NULL,
  `SEQUENCE_VALUE` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`ID`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `OPENJPA_SEQUENCE_TABLE`
--

LOCK TABLES `OPENJPA_SEQUENCE_TABLE` WRITE;
/*!40000 ALTER TABLE `OPENJPA_SEQUENCE_TABLE` DISABLE KEYS */;
/*!40000 ALTER TABLE `OPENJPA_SEQUENCE_TABLE` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `ResourceServer_scopes`
--

DROP TABLE IF EXISTS `ResourceServer_scopes`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `ResourceServer_scopes` (
  `RESOURCESERVER_ID` bigint(20) DEFAULT NULL,
  `element` varchar(255) DEFAULT NULL,
  KEY `I_RSRCCPS_RESOURCESERVER_ID` (`RESOURCESERVER_ID`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `ResourceServer_scopes`
--

LOCK TABLES `ResourceServer_scopes` WRITE;
/*!40000 ALTER TABLE `ResourceServer_scopes` DISABLE KEYS */;
INSERT INTO `ResourceServer_scopes` VALUES
(99998,'read'),
(99998,'write'),
(1,'read'),
(1,'write'),
(2,'lend');
/*!40000 ALTER TABLE `ResourceServer_scopes` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `accesstoken`
--

DROP TABLE IF EXISTS `accesstoken`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `accesstoken` (
  `id` bigint(20) NOT NULL,
  `creationDate` datetime DEFAULT NULL,
  `modificationDate` datetime DEFAULT NULL,
  `encodedPrincipal` text DEFAULT NULL,
  `expires` bigint(20) DEFAULT NULL,
  `refreshToken` varchar(255) DEFAULT NULL,
  `resourceOwnerId` varchar(255) DEFAULT NULL,
  `token` varchar(255) DEFAULT NULL,
  `client_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `U_CCSSTKN_REFRESHTOKEN` (`refreshToken`),
  UNIQUE KEY `U_CCSSTKN_TOKEN` (`token`),
  KEY `I_CCSSTKN_CLIENT` (`client_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `accesstoken`
--

LOCK TABLES `accesstoken` WRITE;
/*!40000 ALTER TABLE `accesstoken` DISABLE KEYS */;
INSERT INTO `accesstoken` VALUES
(21,'2026-11-01 10:00:00',NULL,'{\"name\":\"emma\",\"roles\":[\"java.util.ArrayList\",[\"teacher\"]],\"groups\":[\"java.util.ArrayList\",[\"staff\"]],\"adminPrincipal\":false,\"attributes\":[\"java.util.HashMap\",{\"EMAIL\":\"emma@example.com\"}]}',4102444800000,'0b0d7a52-8a5e-4f1e-9d59-5f3f2f7f0a11','emma','6c84fb90-12c4-41c1-9d3a-8c1b4d3a0a01',11),
(22,'2026-11-01 10:00:00',NULL,'{\"name\":\"course-app\",\"roles\":[\"java.util.ArrayList\",[]],\"adminPrincipal\":false,\"attributes\":[\"java.util.HashMap\",{}]}',0,NULL,'course-app','6c84fb90-12c4-41c1-9d3a-8c1b4d3a0a02',11),
(23,'2013-06-01 10:00:00',NULL,'{\"name\":\"emma\",\"adminPrincipal\":false}',1370080800000,NULL,'emma','6c84fb90-12c4-41c1-9d3a-8c1b4d3a0a03',12),
(24,'2026-11-01 10:00:00',NULL,'{\"name\":\"nobody-here\",\"adminPrincipal\":false}',0,NULL,'nobody-here','6c84fb90-12c4-41c1-9d3a-8c1b4d3a0a04',12),
(25,'2026-11-01 10:00:00',NULL,'{\"name\":\"emma\",\"adminPrincipal\":false}',0,NULL,'emma','too-short',12),
(26,'2026-11-01 10:00:00',NULL,'{\"name\":\"emma\",\"adminPrincipal\":true}',0,NULL,'emma','6c84fb90-12c4-41c1-9d3a-8c1b4d3a0a06',99998);
/*!40000 ALTER TABLE `accesstoken` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `authorizationrequest`
--

DROP TABLE IF EXISTS `authorizationrequest`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `authorizationrequest` (
  `id` bigint(20) NOT NULL,
  `creationDate` datetime DEFAULT NULL,
  `modificationDate` datetime DEFAULT NULL,
  `authState` varchar(255) DEFAULT NULL,
  `authorizationCode` varchar(255) DEFAULT NULL,
  `encodedPrincipal` text DEFAULT NULL,
  `redirectUri` varchar(255) DEFAULT NULL,
  `responseType` varchar(255) DEFAULT NULL,
  `state` varchar(255) DEFAULT NULL,
  `client_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `I_THRZQST_CLIENT` (`client_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `authorizationrequest`
--

LOCK TABLES `authorizationrequest` WRITE;
/*!40000 ALTER TABLE `authorizationrequest` DISABLE KEYS */;
/*!40000 ALTER TABLE `authorizationrequest` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `client`
--

DROP TABLE IF EXISTS `client`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `client` (
  `id` bigint(20) NOT NULL,
  `creationDate` datetime DEFAULT NULL,
  `modificationDate` datetime DEFAULT NULL,
  `clientId` varchar(255) DEFAULT NULL,
  `contactEmail` varchar(255) DEFAULT NULL,
  `contactName` varchar(255) DEFAULT NULL,
  `description` varchar(255) DEFAULT NULL,
  `expireDuration` bigint(20) DEFAULT NULL,
  `clientName` varchar(255) DEFAULT NULL,
  `allowedImplicitGrant` bit(1) DEFAULT NULL,
  `allowedClientCredentials` bit(1) DEFAULT NULL,
  `secret` varchar(255) DEFAULT NULL,
  `skipConsent` bit(1) DEFAULT NULL,
  `includePrincipal` bit(1) DEFAULT NULL,
  `thumbNailUrl` varchar(255) DEFAULT NULL,
  `useRefreshTokens` bit(1) DEFAULT NULL,
  `resourceserver_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `U_CLIENT_CLIENTID` (`clientId`),
  KEY `I_CLIENT_RESOURCESERVER` (`resourceserver_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `client`
--

LOCK TABLES `client` WRITE;
/*!40000 ALTER TABLE `client` DISABLE KEYS */;
INSERT INTO `client` VALUES
(11,'2013-05-01 10:00:00',NULL,'course-app',NULL,'Emma Example',NULL,3600,'Course App','\0','','f4a5d0a2-93a6-4b53-8a0b-2f4c0c9f5d77','\0','\0',NULL,'',1),
(12,'2013-05-01 10:00:00',NULL,'course-page',NULL,NULL,'In the browser',0,'Course Page','','\0','aaaaaaaa-93a6-4b53-8a0b-2f4c0c9f5d77',NULL,'',NULL,'\0',1),
(13,'2013-05-01 10:00:00',NULL,'lender',NULL,NULL,NULL,600,'Lender','\0','','bbbbbbbb-93a6-4b53-8a0b-2f4c0c9f5d77','','\0',NULL,'\0',2),
(99998,NULL,NULL,'authorization-server-admin-js-client','client@coolapp.com','john.doe','Javascript application for authorization server administration',NULL,'Authorization Server Admin Client','',NULL,NULL,NULL,'','https://raw.github.com/OpenConextApps/apis/master/apis-images/surf-oauth-client.png',NULL,99998);
/*!40000 ALTER TABLE `client` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `client_attributes`
--

DROP TABLE IF EXISTS `client_attributes`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `client_attributes` (
  `client_id` bigint(20) DEFAULT NULL,
  `attribute_name` varchar(255) NOT NULL,
  `attribute_value` varchar(255) DEFAULT NULL,
  KEY `I_CLNTBTS_CLIENT_ID` (`client_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `client_attributes`
--

LOCK TABLES `client_attributes` WRITE;
/*!40000 ALTER TABLE `client_attributes` DISABLE KEYS */;
INSERT INTO `client_attributes` VALUES
(11,'theme','blue; dark');
/*!40000 ALTER TABLE `client_attributes` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `resourceserver`
--

DROP TABLE IF EXISTS `resourceserver`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `resourceserver` (
  `id` bigint(20) NOT NULL,
  `creationDate` datetime DEFAULT NULL,
  `modificationDate` datetime DEFAULT NULL,
  `contactEmail` varchar(255) DEFAULT NULL,
  `contactName` varchar(255) NOT NULL,
  `description` varchar(255) DEFAULT NULL,
  `resourceServerKey` varchar(255) DEFAULT NULL,
  `resourceServerName` varchar(255) DEFAULT NULL,
  `owner` varchar(255) DEFAULT NULL,
  `secret` varchar(255) NOT NULL,
  `thumbNailUrl` varchar(255) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `U_RSRCRVR_KEY` (`resourceServerKey`),
  UNIQUE KEY `U_RSRCRVR_OWNER` (`owner`,`resourceServerName`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `resourceserver`
--

LOCK TABLES `resourceserver` WRITE;
/*!40000 ALTER TABLE `resourceserver` DISABLE KEYS */;
INSERT INTO `resourceserver` VALUES
(1,'2013-05-01 10:00:00',NULL,'emma@example.com','Emma Example','Courses; and \'grades\'','university-api','University API','emma','0c7c9c3e-1c5b-4f0e-8a57-6a8fb3a9d0c2',NULL),
(2,'2013-05-02 10:00:00',NULL,NULL,'Café \"Zoë\"','Zwei\nZeilen \\ Schrägstrich','library-api','Library API',NULL,'5d8fb5a2-93a6-4b53-8a0b-2f4c0c9f5d99',NULL),
(99998,NULL,NULL,'localadmin@example.com','local admin',NULL,'authorization-server-admin','Authorization Server Apis',NULL,'cafebabe-cafe-babe-cafe-babecafebabe','https://raw.github.com/OpenConextApps/apis/master/apis-images/surf-oauth.png');
/*!40000 ALTER TABLE `resourceserver` ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

-- Dump completed on 2026-11-29 13:15:10
